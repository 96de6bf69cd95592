// A host like OpenCode 1.x as far as its plugins see it: node opencode.mjs PLUGIN < SCENARIO.
// The scenario is JSON: {directory, messages, steps: [{hook, input, output} | {tool, args}]};
// what each step left in its output, or a tool returned, is printed, a throw as {thrown}.
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const module = await import(pathToFileURL(process.argv[2]));
const { directory, messages, broken, steps } = JSON.parse(await text(process.stdin));
const functions = Object.values(module);
const client = {
  session: {
    messages: async ({ path }) => {
      if (broken) throw new Error("no server");
      return { data: messages.filter(({ info }) => info.sessionID === path.id) };
    },
  },
};
const hooks = await functions[0]({ client, directory, worktree: directory });
const returned = [];
for (const { hook, input, output, tool, args, sessionID } of steps) {
  try {
    if (tool) returned.push(await hooks.tool[tool].execute(args, { sessionID }));
    else {
      await hooks[hook]?.(input, output);
      returned.push(output ?? null);
    }
  } catch (error) {
    returned.push({ thrown: String(error) });
  }
}
const exported = functions.map((one) => typeof one);
console.log(JSON.stringify({ exported, hooks: Object.keys(hooks), tools: Object.keys(hooks.tool ?? {}), returned }));
