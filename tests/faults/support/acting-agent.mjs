/**
 * An agent in a separate process: `acting-agent.mjs HUB TOKEN SESSION NAME`. It takes the lease and acts without end, each time
 * on another target. Every acknowledged act is printed at once, and written as an event of its own session folder before.
 */
import { writeSync } from "node:fs";
import { HubClient } from "@debug-bridge/client";
import { AgentFolder } from "@debug-bridge/journal";

const [hub = "", token = "", session = "", name = "", home = ""] = process.argv.slice(2);
const folder = AgentFolder.create(home);
const client = await new HubClient({ hub, token, name }).session(session);
let sequence = 0;

for (let n = 1; ; n++) {
  const text = `${name} ${n}.`;
  const { success } = await client.act({ type: "click", target: { text } });
  if (!success) continue;
  const timestamp = new Date().toISOString();
  const event = {
    type: "user_input",
    timestamp,
    sessionId: folder.id,
    sequence: ++sequence,
    data: { input: text },
  };
  folder.events.append(JSON.stringify(event));
  // A pipe that is written later would lose what was acknowledged when the process is killed.
  writeSync(1, `${folder.id} ${text}\n`);
}
