/** How long an agent waits for a hook when there is nothing to stop for, against the bare start of the shell that runs it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLI } from "../lib/cli.mjs";
import { figure, median } from "../lib/figure.mjs";

const ROUNDS = 41;
const home = mkdtempSync(join(tmpdir(), "debug-bridge-"));
const env = { ...process.env, DEBUG_BRIDGE_HOME: home };
const settings = join(home, "settings.json");
run(process.execPath, [CLI, "hook", "install", "claude-code", "--file", settings]);
const { hooks } = JSON.parse(readFileSync(settings, "utf8"));
const { command } = hooks.PreToolUse[0].hooks[0];
const input = JSON.stringify({
  session_id: "bench",
  hook_event_name: "PreToolUse",
  cwd: home,
  tool_name: "Bash",
  tool_input: { command: "ls", text: "x".repeat(2_000) },
  tool_use_id: "toolu_1",
});

function run(program, args, stdin = "") {
  const started = performance.now();
  const { status, stderr } = spawnSync(program, args, { input: stdin, env });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}: ${stderr}`);
  return performance.now() - started;
}

// The first hook starts Node, and creates the session.
const first = run("/bin/sh", ["-c", command], input);
const times = { hook: [], shell: [], node: [] };
for (let round = -2; round < ROUNDS; round++) {
  const hook = run("/bin/sh", ["-c", command], input);
  const shell = run("/bin/sh", ["-c", "exit 0"]);
  const node = run(process.execPath, ["-e", "0"]);
  if (round < 0) continue;
  times.hook.push(hook);
  times.shell.push(shell);
  times.node.push(node);
}
const written = readdirSync(join(home, "debug/hooks/spool")).filter((name) => /^\d+\.\d+$/.test(name)).length;
if (written !== ROUNDS + 2) throw new Error(`${written} of ${ROUNDS + 2} hooks are in the spool`);
run(process.execPath, [CLI, "sessions"]);
const sessions = join(home, "debug/sessions");
const events = readFileSync(join(sessions, readdirSync(sessions)[0], "events.jsonl"), "utf8").split(
  "\n",
).length;
if (events < ROUNDS + 4) throw new Error(`only ${events} lines of events were recorded`);
rmSync(home, { recursive: true, force: true });

const least = (values) => Math.min(...values);
figure({
  name: "agent: a hook that has nothing to stop for",
  value: median(times.hook) / median(times.shell),
  unit: "x the start of /bin/sh",
  limit: 6,
  note: `${median(times.hook).toFixed(1)} ms against ${median(times.shell).toFixed(1)} ms; the start of Node takes ${median(times.node).toFixed(0)} ms, a hook that starts it ${first.toFixed(0)} ms`,
});
figure({
  name: "agent: a hook that has nothing to stop for, shortest time",
  value: least(times.hook),
  unit: "ms",
  limit: 15,
});
