// A host like Pi as far as its extensions see it: node pi.mjs EXTENSION < SCENARIO.
// The scenario is JSON: {cwd, log, leaf, model, events: [{name, event}]}; what each handler
// returned is printed, a throw as {thrown}.
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const { default: extension } = await import(pathToFileURL(process.argv[2]));
const { cwd, log, leaf, model, events } = JSON.parse(await text(process.stdin));
const handlers = new Map();
const used = [];
extension({ on: (name, handler) => handlers.set(name, [...(handlers.get(name) ?? []), handler]) });
const ctx = {
  cwd,
  model,
  sessionManager: { getSessionFile: () => log ?? undefined, getLeafId: () => leaf ?? null },
  ui: new Proxy({}, { get: (_, name) => used.push(name) }),
};
const returned = [];
for (const { name, event, abort, bare } of events) {
  for (const handler of handlers.get(name) ?? []) {
    const stopper = new AbortController();
    if (abort !== undefined) setTimeout(() => stopper.abort(), abort);
    try {
      const given = bare ? event : { type: name, signal: stopper.signal, ...event };
      returned.push({ name, value: (await handler(given, bare ? undefined : ctx)) ?? null });
    } catch (error) {
      returned.push({ name, thrown: String(error) });
    }
  }
}
console.log(JSON.stringify({ names: [...handlers.keys()], returned, used }));
