import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../fixtures.js";

/**
 * A program that speaks as `codex exec --json` does and answers in many small messages, for tests that need hundreds of
 * runs. It remembers its threads in `CODEX_HOME` and refuses one that it does not know, as Codex does. While a file `hold`
 * is there, it stops in the middle of its answer. If it gets a page to work in, it clicks there, as a tool of its run.
 */
const PROGRAM = `#!${process.execPath}
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
const args = process.argv.slice(2);
const resumed = args.includes("resume") ? args.at(-2) : undefined;
const file = (id) => join(process.env.CODEX_HOME, id);
const say = (event) => process.stdout.write(JSON.stringify(event) + "\\n");
if (resumed !== undefined && !existsSync(file(resumed))) {
  process.stderr.write("Error: no rollout found for thread id " + resumed + "\\n");
  process.exit(1);
}
const id = resumed ?? randomUUID();
appendFileSync(file(id), readFileSync(0, "utf8") + "\\n");
const server = JSON.parse(/args=(\\[.*?\\])/.exec(args.find((each) => each.startsWith("mcp_servers.")) ?? "")?.[1] ?? "[]");
const option = (name) => server[server.indexOf(name) + 1];
const page = server.find((each) => each.startsWith("--page="))?.slice("--page=".length);
const click = async () => {
  const token = readFileSync(join(option("--home"), "token"), "utf8").trim();
  const headers = { authorization: "Bearer " + token, "x-debug-bridge-client": "mcp@" + option("--chat-run") };
  const body = JSON.stringify({ type: "click", target: { selector: "#count" }, timeoutMs: 10000 });
  const target = option("--hub") + "/v1/sessions/" + page + "/commands";
  const answer = await fetch(target, { method: "POST", headers, body, signal: AbortSignal.timeout(60000) });
  return (await answer.json()).success;
};
say({ type: "thread.started", thread_id: id });
say({ type: "turn.started" });
for (let i = 0; i < 40; i++) {
  say({ type: "item.completed", item: { id: "m" + i, type: "agent_message", text: "part " + i } });
  say({ type: "item.completed", item: { id: "c" + i, type: "command_execution", command: "step " + i, status: "completed" } });
  if (i === 5 && page !== undefined) {
    const done = await click().catch((thrown) => thrown.message);
    say({ type: "item.completed", item: { id: "click", type: "command_execution", command: "clicked " + done, status: "completed" } });
  }
  do await new Promise((resolve) => setTimeout(resolve, 10));
  while (i === 10 && existsSync(file("hold")));
}
say({ type: "turn.completed", usage: { input_tokens: 5, cached_input_tokens: 0, output_tokens: 2 } });
`;

/** A folder with that program as `codex`, and a home for its threads. */
export function codexStandIn(): { folder: string; home: string } {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "codex"), PROGRAM);
  chmodSync(join(folder, "codex"), 0o755);
  return { folder, home: temporaryFolder() };
}
