/** What a call of the model costs when the conversation is long already, against one pass over its text. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentDebugger } from "@debug-bridge/agent";
import { figure, median } from "../lib/figure.mjs";

const MESSAGES = 1_000;
const CALLS = 50;
const ROUNDS = 9;
const home = mkdtempSync(join(tmpdir(), "debug-bridge-"));
const message = (i) => ({ role: "user", content: [{ type: "text", text: `word ${i} `.repeat(400) }] });

const times = { short: [], long: [], whole: [] };
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, count] of [
    ["short", 1],
    ["long", MESSAGES],
  ]) {
    const debug = createAgentDebugger({ home, provider: "bench", model: "none" });
    const messages = Array.from({ length: count }, (_, i) => message(i));
    await debug.beforeModelCall({ messages });
    const started = performance.now();
    for (let i = 0; i < CALLS; i++) {
      messages.push({ role: "user", content: "go on" });
      await debug.beforeModelCall({ messages });
    }
    times[name].push(((performance.now() - started) * 1_000) / CALLS);
    debug.close();
    if (name === "short") continue;
    const from = performance.now();
    JSON.stringify(messages);
    times.whole.push((performance.now() - from) * 1_000);
  }
}
rmSync(home, { recursive: true, force: true });

const added = median(times.long) - median(times.short);
figure({
  name: `agent: a model call after ${MESSAGES} messages of 4 KB`,
  value: added / median(times.whole),
  unit: "x one pass over their text",
  limit: 0.5,
  note: `${Math.round(added)} µs on top of ${Math.round(median(times.short))} µs for a short one`,
});
