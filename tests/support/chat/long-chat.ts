import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const LONG_CHAT = "01JAB3W7ZZ0000000000000001";

/** Writes a chat of many turns, as a hub would have left it. */
export function writeLongChat(home: string, turns: number): void {
  const folder = join(home, "chats", LONG_CHAT);
  const timestamp = new Date().toISOString();
  const lines: string[] = [];
  const add = (runId: string, event: string, payload: object): void => {
    const sequence = lines.length + 1;
    lines.push(JSON.stringify({ event, runId, sessionId: LONG_CHAT, sequence, timestamp, payload }));
  };
  for (let i = 0; i < turns; i++) {
    const runId = `01JAB3W7ZZ${String(i).padStart(16, "0")}`;
    add(runId, "run.started", { message: `Question ${i}`, provider: "test" });
    const text = `Answer ${i} with **words**, \`code\` and a list:\n\n- one\n- two\n\n${"Text. ".repeat((i * 37) % 400)}`;
    add(runId, "run.delta", { text });
    add(runId, "run.finished", { outcome: "done" });
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "transcript.jsonl"), `${lines.join("\n")}\n`);
  const about = {
    id: LONG_CHAT,
    title: "Long chat",
    provider: "test",
    created: timestamp,
    updated: timestamp,
  };
  writeFileSync(join(folder, "meta.json"), JSON.stringify({ ...about, cwd: tmpdir(), providerState: {} }));
}
