/** How fast events are written, against the bare writes of the same bytes, and what the gate costs a loop. */
import { mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentDebugger } from "@debug-bridge/agent";
import { figure, median } from "../lib/figure.mjs";

const EVENTS = 20_000;
const ROUNDS = 9;
const text = "x".repeat(165);
const home = mkdtempSync(join(tmpdir(), "debug-bridge-"));
const debug = createAgentDebugger({ home, provider: "bench", model: "none" });
const disabled = createAgentDebugger({ enabled: false });
const events = join(debug.folder, "events.jsonl");

debug.userInput(text);
const before = statSync(events).size;
debug.userInput(text);
const bytes = statSync(events).size - before;
const bare = openSync(join(home, "bare"), "a");
const line = Buffer.from(`${"y".repeat(bytes - 1)}\n`);

const times = { ours: [], bare: [], tool: [], model: [], disabled: [] };
async function timed(name, count, action) {
  const started = performance.now();
  await action();
  times[name].push(((performance.now() - started) * 1_000) / count);
}

for (let round = 0; round < ROUNDS; round++) {
  await timed("ours", EVENTS, () => {
    for (let i = 0; i < EVENTS; i++) debug.userInput(text);
  });
  await timed("bare", EVENTS, () => {
    for (let i = 0; i < EVENTS; i++) writeSync(bare, line);
  });
  await timed("tool", 6_000, async () => {
    for (let i = 0; i < 2_000; i++) {
      const call = { toolId: `t${i}`, name: "read_file" };
      await debug.beforeToolCall({ ...call, input: { path: "a.ts", text } });
      await debug.afterToolCall({ ...call, result: text });
    }
  });
  await timed("disabled", 6_000, async () => {
    for (let i = 0; i < 2_000; i++) {
      const call = { toolId: `t${i}`, name: "read_file" };
      await disabled.beforeToolCall({ ...call, input: { path: "a.ts", text } });
      await disabled.afterToolCall({ ...call, result: text });
    }
  });
  await timed("model", 6_000, async () => {
    for (let i = 0; i < 2_000; i++) {
      await debug.beforeModelCall({ messageCount: 3 });
      await debug.afterModelCall({ stopReason: "end_turn", content: text });
    }
  });
}
debug.close();
rmSync(home, { recursive: true, force: true });

const perSecond = 1_000_000 / median(times.ours);
figure({
  name: `agent: events of ${bytes} bytes written`,
  value: perSecond,
  unit: "per second",
  limit: 50_000,
  atLeast: true,
  note: `${(median(times.ours) / median(times.bare)).toFixed(2)} x the bare write`,
});
figure({
  name: "agent: a tool call, nobody attached",
  value: median(times.tool),
  unit: "µs per event",
  limit: 20,
});
figure({
  name: "agent: a model call, nobody attached",
  value: median(times.model),
  unit: "µs per event",
  limit: 20,
});
figure({
  name: "agent: a tool call, disabled",
  value: median(times.disabled),
  unit: "µs per event",
  limit: 0.5,
});
