// pcsf hook: a plugin of OpenCode 1.x. It is the kernel's adapter: every request is a turn of
// `pcsf kernel call`, its state is kept per session, and the model may fold what is old with the
// tool `compress`. Besides, the head goes into the system prompt, and the session is drafted and
// pushed when it is idle and before a compaction. Nothing here throws: what fails is left out.
import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

const PCSF = ["pcsf"];
// Seconds between two saves of an idle session, and the tokens of a window nobody told of.
const PAUSE = 60;
const WINDOW = 200_000;

// What a call of pcsf prints; empty for any fault, or after `ms`.
function pcsf(args, { cwd, input = "", ms }) {
  return new Promise((resolve) => {
    try {
      const [command, ...rest] = [...PCSF, ...args];
      const child = spawn(command, rest, { cwd, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
      const done = (text) => (clearTimeout(timer), resolve(text));
      const timer = setTimeout(() => (child.kill(), done("")), ms);
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (part) => (text += part));
      child.stdin.on("error", () => {}).end(input);
      child.on("error", () => done("")).on("close", (code) => done(code === 0 ? text.trim() : ""));
    } catch {
      resolve("");
    }
  });
}

// One op of the kernel; throws what the kernel refuses.
async function kernel(op, input) {
  const line = `${JSON.stringify({ id: 1, op, input })}\n`;
  const { output, error } = JSON.parse(await pcsf(["kernel", "call", "--now", `${Date.now()}`], { input: line, ms: 20_000 }));
  if (error) throw new Error(error.message);
  return output;
}

// The state of a session, beside the agent's own data.
const folder = join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "pcsf", "opencode");
const place = (session) => join(folder, `${session.replace(/[^\w-]/g, "_")}.json`);
const load = async (session) => JSON.parse(await readFile(place(session), "utf8").catch(() => "{}"));
async function keep(session, value) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const beside = `${place(session)}.${process.pid}.tmp`;
  await writeFile(beside, JSON.stringify(value), { mode: 0o600 });
  await rename(beside, place(session));
}

const textOf = (part) => (part.type === "text" || part.type === "reasoning" ? part.text ?? "" : undefined);
const settled = (part) => part.state?.status === "completed" || part.state?.status === "error";
const resultOf = (part) => part.state?.output ?? part.state?.error ?? "";

// OpenCode's messages as the kernel's: a part is one, a tool's part a call and its result.
function coreOf(messages) {
  const core = [];
  for (const { info, parts } of messages) {
    for (const part of parts) {
      const text = textOf(part);
      if (text !== undefined && !part.ignored) {
        core.push({ id: part.id, role: info.role, contentType: part.type, text });
      } else if (part.type === "tool") {
        const call = { toolName: part.tool, toolCallId: part.callID };
        core.push({ id: part.id, role: "assistant", contentType: "tool-call", text: JSON.stringify(part.state?.input ?? {}), ...call });
        if (settled(part)) core.push({ id: `${part.id}#`, role: "tool", contentType: "tool-result", text: resultOf(part), ...call });
      }
    }
  }
  return core;
}

// The kernel's view in OpenCode's messages: what it left out goes, what it wrote is written.
function viewOf(messages, view, known) {
  const said = new Map(view.map((one) => [one.id, one.text]));
  const kept = (part) => !known.has(part.id) || said.has(part.id);
  // Reasoning is signed, and a call's arguments are JSON: neither is written.
  const written = (part) => {
    if (part.type === "text" && said.has(part.id)) return { ...part, text: said.get(part.id) };
    const result = part.type === "tool" ? said.get(`${part.id}#`) : undefined;
    if (result === undefined) return part;
    return { ...part, state: { ...part.state, [part.state.status === "error" ? "error" : "output"]: result } };
  };
  const shown = messages
    .filter(({ parts }) => parts.some((part) => said.has(part.id)) || !parts.some((part) => known.has(part.id)))
    .map(({ info, parts }) => ({ info, parts: parts.filter(kept).map(written) }));
  const { info: like } = messages.find(({ info }) => info.role === "user");
  // What the kernel wrote itself, a summary or a reminder, stands before what follows it.
  const owner = (id) => shown.findIndex(({ parts }) => parts.some((part) => part.id === id.replace(/#$/, "")));
  view.forEach((one, at) => {
    if (known.has(one.id)) return;
    const next = view.slice(at + 1).find(({ id }) => known.has(id));
    const part = { id: `${one.id}-text`, sessionID: like.sessionID, messageID: one.id, type: "text", text: one.text, synthetic: true };
    shown.splice(next ? owner(next.id) : shown.length, 0, { info: { ...like, id: one.id }, parts: [part] });
  });
  return shown;
}

// How many tokens the last request took, as the host counted them; 0 for unknown.
function tokensOf(messages) {
  const used = messages.findLast(({ info }) => info.role === "assistant" && info.tokens?.input)?.info.tokens;
  return used ? used.input + (used.output ?? 0) + (used.cache?.read ?? 0) + (used.cache?.write ?? 0) : 0;
}

// A session as the list of chat messages that `pcsf hook save` reads.
function chatOf(messages) {
  const chat = [];
  for (const { info, parts } of messages) {
    const text = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored).map((part) => part.text).join("\n");
    const tools = parts.filter((part) => part.type === "tool");
    const calls = tools.map((part) => ({
      id: part.callID,
      type: "function",
      function: { name: part.tool, arguments: JSON.stringify(part.state?.input ?? {}) },
    }));
    if (text || calls.length) chat.push({ role: info.role, content: text, ...(calls.length ? { tool_calls: calls } : {}) });
    for (const part of tools.filter(settled)) chat.push({ role: "tool", tool_call_id: part.callID, name: part.tool, content: resultOf(part) });
  }
  return chat;
}

export const PcsfPlugin = async ({ client, directory }) => {
  const heads = new Map();
  const windows = new Map();
  const views = new Map();
  const saved = new Map();
  const { tool } = await import("@opencode-ai/plugin").catch(() => ({}));
  const configOf = (session) => ({ modelContextLimit: windows.get(session) ?? WINDOW });
  const quietly = (work) => async (...given) => {
    try {
      return await work(...given);
    } catch {
      return undefined;
    }
  };

  async function save(session) {
    saved.set(session, Date.now());
    const { data } = await client.session.messages({ path: { id: session } });
    const chat = chatOf(data ?? []);
    if (!chat.length) return;
    const at = await mkdtemp(join(tmpdir(), "pcsf-"));
    try {
      await chmod(at, 0o700);
      const log = join(at, `${session.replace(/[^\w-]/g, "_")}.json`);
      await writeFile(log, JSON.stringify(chat), { mode: 0o600 });
      await pcsf(["hook", "save", "--agent", "opencode", "--wait", "30", "--", log], { cwd: directory, ms: 33_000 });
    } finally {
      await rm(at, { recursive: true, force: true });
    }
  }

  async function compress({ topic, ranges }, { sessionID }) {
    const { state } = await load(sessionID);
    const parsed = await kernel("parseCompressArgs", { args: { topic, content: ranges } });
    const input = { ranges: parsed.ranges, messages: views.get(sessionID) ?? [], state, config: configOf(sessionID) };
    const folded = await kernel("applyCompression", input);
    await keep(sessionID, { ...(await load(sessionID)), state: folded.state });
    const { blocksCreated, tokensCompressed, errors } = folded.result;
    const refused = errors.map(({ code, range }) => `${code} ${(range ?? []).join("..")}`.trim());
    return [`${blocksCreated} block(s), ${tokensCompressed} tokens folded`, ...refused].join("\n");
  }

  const hooks = {
    event: quietly(async ({ event }) => {
      const session = event.properties?.sessionID;
      if (event.type !== "session.idle" || !session) return;
      if (Date.now() - (saved.get(session) ?? 0) >= PAUSE * 1000) await save(session);
    }),

    "experimental.session.compacting": quietly(async ({ sessionID }) => save(sessionID)),

    "chat.params": quietly(async ({ sessionID, model }) => {
      if (model?.limit?.context > 0) windows.set(sessionID, model.limit.context);
    }),

    "experimental.chat.system.transform": quietly(async ({ sessionID }, output) => {
      const session = sessionID ?? "";
      if (!heads.has(session)) heads.set(session, pcsf(["hook", "start", "--agent", "opencode"], { cwd: directory, ms: 9_000 }));
      const head = await heads.get(session);
      if (head) output.system.push(head);
    }),
  };
  if (!tool) return hooks;

  const { schema } = tool;
  return {
    ...hooks,
    "experimental.chat.messages.transform": quietly(async (_input, output) => {
      const session = output.messages[0]?.info.sessionID;
      if (!session) return;
      const core = coreOf(output.messages);
      const { state, contentStore } = await load(session);
      const given = { messages: core, config: configOf(session), tokenCount: tokensOf(output.messages), state, contentStore };
      const turn = await kernel("processTurn", given);
      const view = [...turn.messages];
      if (turn.nudge.shouldInject) {
        const { text } = await kernel("renderNudge", { nudge: turn.nudge, state: turn.state });
        view.push({ id: "pcsf_nudge", role: "user", contentType: "text", text });
      }
      const shown = viewOf(output.messages, view, new Set(core.map((one) => one.id)));
      await keep(session, { state: turn.state, contentStore: turn.contentStore });
      views.set(session, core);
      output.messages.splice(0, output.messages.length, ...shown);
    }),
    tool: {
      compress: tool({
        description:
          "Fold ranges of this conversation into summaries of yours. Refs such as m00012 stand before " +
          "each message; what is folded can be had again, but is not seen any more.",
        args: {
          topic: schema.string().describe("What the ranges are about, in a few words."),
          ranges: schema.array(
            schema.object({
              startRef: schema.string(),
              endRef: schema.string(),
              summary: schema.string().describe("All that must not be lost of the range."),
            }),
          ),
        },
        execute: async (given, context) =>
          compress(given, context).catch((error) => `nothing was folded: ${error.message}`),
      }),
    },
  };
};
