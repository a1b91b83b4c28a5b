/** How long an agent waits for a hook when there is nothing to stop for, against the start of Node itself. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { figure, median } from "../lib/figure.mjs";

const ROUNDS = 21;
const CLI = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "debug-bridge-"));
const input = JSON.stringify({
  session_id: "bench",
  hook_event_name: "PreToolUse",
  cwd: home,
  tool_name: "Bash",
  tool_input: { command: "ls" },
  tool_use_id: "toolu_1",
});

function run(args) {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, {
    input,
    env: { ...process.env, DEBUG_BRIDGE_HOME: home },
  });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}`);
  return performance.now() - started;
}

const times = { hook: [], bare: [] };
for (let round = -2; round < ROUNDS; round++) {
  const hook = run([CLI, "hook", "--timeout", "600"]);
  const bare = run(["-e", "0"]);
  if (round < 0) continue;
  times.hook.push(hook);
  times.bare.push(bare);
}
rmSync(home, { recursive: true, force: true });

figure({
  name: "agent: a hook that has nothing to stop for",
  value: median(times.hook) / median(times.bare),
  unit: "x the start of Node",
  limit: 2,
  note: `${median(times.hook).toFixed(0)} ms against ${median(times.bare).toFixed(0)} ms`,
});
