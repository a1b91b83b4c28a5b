/**
 * A stand-in for codi, the agent of another program: the same files, its own names for commands, and its own way to refuse.
 * Arguments: its root, and the number of turns. Each turn is a call of a tool.
 */
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const POLL_MS = 50;
const [root, turns = "3"] = process.argv.slice(2);
const id = `debug_20260101_000000_${process.pid.toString(16)}`;
const debug = join(root, "debug");
const folder = join(debug, "sessions", id);
mkdirSync(folder, { recursive: true });
const about = { id, pid: process.pid, startTime: new Date().toISOString(), cwd: process.cwd() };
writeFileSync(join(folder, "commands.jsonl"), "");
writeFileSync(join(folder, "events.jsonl"), "");
writeFileSync(join(folder, "session.json"), JSON.stringify({ ...about, provider: "anthropic", model: "m" }));
writeFileSync(join(debug, "index.json"), JSON.stringify({ sessions: [about] }));
rmSync(join(debug, "current"), { force: true });
symlinkSync(join(folder), join(debug, "current"));

let sequence = 0;
const emit = (type, data) => {
  const timestamp = new Date().toISOString();
  appendFileSync(
    join(folder, "events.jsonl"),
    `${JSON.stringify({ type, timestamp, sessionId: id, sequence: sequence++, data })}\n`,
  );
};

const state = {
  paused: false,
  stepping: false,
  iteration: 0,
  messages: [],
  breakpoints: [],
  checkpoints: [],
  branches: [],
};
let branch = "main";
let added = 0;

const handlers = {
  pause: () => pause("user_request"),
  resume: () => resume(),
  step: () => {
    state.stepping = true;
    resume();
  },
  inspect: () => ({
    timestamp: new Date().toISOString(),
    sessionId: id,
    iteration: state.iteration,
    paused: state.paused,
    messages: { count: state.messages.length, roles: {}, recent: [] },
  }),
  inject_message: ({ role, content }) => {
    state.messages.push({ role, content });
    return undefined;
  },
  breakpoint_add: ({ type, condition }) => {
    const one = { id: `bp_${++added}`, type, condition, enabled: true, hitCount: 0 };
    state.breakpoints.push(one);
    return { id: one.id, bpType: type, condition };
  },
  breakpoint_remove: (data) => {
    const before = state.breakpoints.length;
    state.breakpoints = state.breakpoints.filter((one) => one.id !== data.id);
    return { id: data.id, removed: state.breakpoints.length < before };
  },
  breakpoint_clear: () => {
    const cleared = state.breakpoints.length;
    state.breakpoints = [];
    return { cleared };
  },
  breakpoint_list: () => ({ breakpoints: state.breakpoints }),
  checkpoint_create: ({ label }) => {
    const { iteration, messages, checkpoints } = state;
    const one = { id: `cp_${checkpoints.length + 1}`, label, iteration, timestamp: new Date().toISOString() };
    checkpoints.push({ ...one, messageCount: messages.length, tokenCount: 0 });
    return checkpoints.at(-1);
  },
  checkpoint_list: () => ({ checkpoints: state.checkpoints }),
  rewind: ({ checkpointId }) => {
    const found = state.checkpoints.find((one) => one.id === checkpointId);
    if (found) emit("rewind", { checkpointId });
    return { checkpointId, success: found !== undefined };
  },
  branch_create: ({ checkpointId, name }) => {
    const success = state.checkpoints.some((one) => one.id === checkpointId);
    if (success) {
      state.branches.push(name);
      emit("branch_created", { checkpointId, name });
    }
    return { checkpointId, name, success };
  },
  branch_switch: ({ name }) => {
    branch = name;
    emit("branch_switched", { name });
    return { name, success: true };
  },
  branch_list: () => ({ branches: state.branches, currentBranch: branch }),
};
const SILENT = new Set(["pause", "resume", "step"]);

function pause(reason) {
  state.paused = true;
  emit("paused", { reason, iteration: state.iteration });
}

function resume() {
  if (!state.paused) return;
  state.paused = false;
  emit("resumed", { iteration: state.iteration });
}

function execute(line) {
  const { type, id: commandId, data = {} } = JSON.parse(line);
  const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
  if (!handler) emit("error", { message: `Unknown command type: ${type}`, context: "command_handler" });
  else {
    const answer = handler(data);
    if (!SILENT.has(type))
      emit("command_response", {
        commandId,
        type,
        ...(answer === undefined ? { success: true } : { data: answer }),
      });
  }
  emit("command_executed", { commandId, type });
}

let read = 0;
function poll() {
  const lines = readFileSync(join(folder, "commands.jsonl"), "utf8").split("\n").slice(0, -1);
  for (const line of lines.slice(read)) execute(line);
  read = lines.length;
}

const wait = () => new Promise((resolve) => setTimeout(resolve, POLL_MS));
async function whilePaused() {
  do {
    await wait();
    poll();
  } while (state.paused);
}

emit("session_start", { provider: "anthropic", model: "m", cwd: process.cwd() });
emit("user_input", { input: "fix the shop" });
pause("start");
await whilePaused();
for (; state.iteration < Number(turns); ) {
  state.iteration++;
  const { iteration } = state;
  emit("api_request", { messageCount: iteration, model: "m", iteration });
  emit("assistant_thinking", { content: "hm" });
  emit("api_response", { stopReason: "tool_use", durationMs: 1 });
  for (const breakpoint of state.breakpoints) {
    if (breakpoint.type !== "tool" || breakpoint.condition !== "bash") continue;
    breakpoint.hitCount++;
    emit("breakpoint_hit", { breakpoint, context: { type: "tool_call", toolName: "bash", iteration } });
    pause("breakpoint");
    await whilePaused();
  }
  emit("tool_call_start", { name: "bash", toolId: `t${iteration}`, input: { command: "ls" } });
  emit("tool_call_end", { name: "bash", toolId: `t${iteration}`, isError: false, durationMs: 1 });
  emit("tool_result", { name: "bash", toolId: `t${iteration}`, result: "ok", isError: false });
  if (state.stepping) {
    state.stepping = false;
    emit("step_complete", { iteration });
    pause("step");
  }
  await whilePaused();
}
emit("assistant_message", { content: "done" });
emit("session_end", { reason: "done" });
writeFileSync(join(debug, "index.json"), JSON.stringify({ sessions: [] }));
// It leaves the link to what it does not describe any more.
rmSync(join(folder, "session.json"));
