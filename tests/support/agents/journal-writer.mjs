/** An agent's side of the files, as bare as it gets: opens a session and writes events until it is killed. */
import { AgentFolder } from "@debug-bridge/journal";

const [root = ".", only] = process.argv.slice(2);
const folder = AgentFolder.create(root);
const note = "x".repeat(200);
let sequence = 0;

function write() {
  folder.events.append(
    JSON.stringify({
      type: "user_input",
      timestamp: new Date().toISOString(),
      sessionId: folder.id,
      sequence: ++sequence,
      data: { input: note },
    }),
  );
}

write();
process.stdout.write(`${folder.id}\n`);
if (only === "once") folder.close();
else {
  const burst = () => {
    for (let i = 0; i < 50; i++) write();
    // Twenty of them must not take the whole machine, or the test kills them too late.
    setTimeout(burst, 20);
  };
  burst();
}
