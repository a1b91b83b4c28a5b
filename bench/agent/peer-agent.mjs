/**
 * An agent that waits for commands in another way: `chokidar`, which waits until a file was quiet for 100 ms, or
 * `polling` every 500 ms. It answers a pause as ours does, with a `paused` event.
 */
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { watch } from "chokidar";

const [way, folder] = process.argv.slice(2);
const commands = join(folder, "commands.jsonl");
const events = join(folder, "events.jsonl");
writeFileSync(commands, "");
writeFileSync(events, "");
let lines = 0;

function take() {
  const all = readFileSync(commands, "utf8").split("\n").slice(0, -1);
  for (const line of all.slice(lines)) {
    const { type } = JSON.parse(line);
    const event = { type: type === "pause" ? "paused" : "resumed" };
    appendFileSync(events, `${JSON.stringify(event)}\n`);
  }
  lines = all.length;
}

if (way === "chokidar") {
  const watcher = watch(commands, { persistent: true, awaitWriteFinish: { stabilityThreshold: 100 } });
  watcher.on("change", take);
  watcher.on("ready", () => process.stdout.write("ready\n"));
} else {
  let size = 0;
  setInterval(() => {
    const now = statSync(commands).size;
    if (now !== size) take();
    size = now;
  }, 500);
  process.stdout.write("ready\n");
}
