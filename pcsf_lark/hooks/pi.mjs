// pcsf hook: an extension of Pi. The head goes in at the start, the session's log is drafted
// and pushed at the end and before a compaction, and a compaction takes what the log's own
// blocks already say, where that is proved. Nothing here throws, cancels or asks.
import { spawn } from "node:child_process";

const PCSF = ["pcsf"];

// What a call of pcsf prints; empty for any fault, an abort, or after `ms`.
function pcsf(args, { cwd, input = "", ms, signal }) {
  return new Promise((resolve) => {
    try {
      const [command, ...rest] = [...PCSF, ...args];
      const child = spawn(command, rest, { cwd, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
      const done = (text) => (clearTimeout(timer), signal?.removeEventListener("abort", stop), resolve(text));
      const stop = () => (child.kill(), done(""));
      const timer = setTimeout(stop, ms);
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (part) => (text += part));
      child.stdin.on("error", () => {}).end(input);
      child.on("error", () => done("")).on("close", (code) => done(code === 0 ? text.trim() : ""));
      if (signal?.aborted) stop();
      else signal?.addEventListener("abort", stop, { once: true });
    } catch {
      resolve("");
    }
  });
}

const logOf = (ctx) => ctx.sessionManager.getSessionFile();
const save = (ctx) =>
  pcsf(["hook", "save", "--agent", "pi", "--wait", "10", "--", logOf(ctx)], { cwd: ctx.cwd, ms: 12_000 });

// A CompactionResult that the log proves, or undefined: then Pi makes its own.
async function checkpoint(event, ctx) {
  const { preparation = {}, branchEntries, reason, signal } = event;
  const log = logOf(ctx);
  const leaf = ctx.sessionManager.getLeafId?.() ?? branchEntries?.at(-1)?.id;
  const { tokensBefore, settings } = preparation;
  const request = {
    id: 1,
    op: "before_compact",
    log,
    ...(leaf ? { leaf } : {}),
    input: { reason, preparation: { tokensBefore, settings } },
  };
  const { contextWindow, provider, id } = ctx.model ?? {};
  const args = ["aili", "call"];
  if (Number.isInteger(contextWindow) && contextWindow > 0) args.push("--window", `${contextWindow}`);
  if (provider && id) args.push("--provider", provider, "--model", id);
  const answer = await pcsf(args, { cwd: ctx.cwd, input: `${JSON.stringify(request)}\n`, ms: 10_000, signal });
  const made = answer && !signal?.aborted ? JSON.parse(answer).output?.compaction : undefined;
  if (!made?.summary || !made.firstKeptEntryId) return undefined;
  if (branchEntries && !branchEntries.some((entry) => entry.id === made.firstKeptEntryId)) return undefined;
  return { compaction: { ...made, tokensBefore: tokensBefore ?? made.tokensBefore } };
}

export default function (pi) {
  let head = "";

  pi.on("session_start", async (_event, ctx) => {
    try {
      head = await pcsf(["hook", "start", "--agent", "pi"], { cwd: ctx.cwd, ms: 9_000 });
      return head ? { systemPromptAppend: head } : undefined;
    } catch {
      return undefined;
    }
  });

  // For a Pi that knows no systemPromptAppend.
  pi.on("before_agent_start", async (event) => {
    const prompt = event?.systemPrompt;
    if (!head || typeof prompt !== "string" || prompt.includes(head)) return undefined;
    return { systemPrompt: `${prompt}\n\n${head}` };
  });

  pi.on("session_before_compact", async (event, ctx) => {
    try {
      if (!logOf(ctx)) return undefined;
      void save(ctx);
      return await checkpoint(event, ctx);
    } catch {
      return undefined;
    }
  });

  pi.on("session_shutdown", async (event, ctx) => {
    try {
      if (logOf(ctx) && event?.reason !== "reload") await save(ctx);
    } catch {
      // What there is to say stands in .pcsf/hook.log.
    }
  });
}
