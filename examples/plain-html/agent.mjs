/**
 * Adds two notes, removes one, and compares the counter with the list. Prints a report as JSON; the exit code is 0 when
 * the bug was found.
 *
 * node agent.mjs HUB SESSION   (the token in DEBUG_BRIDGE_TOKEN)
 */
import { connect } from "@debug-bridge/client";

const [hub, sessionId] = process.argv.slice(2);
const app = await connect({ hub, sessionId, token: process.env.DEBUG_BRIDGE_TOKEN, name: "bug-hunter" });

await app.act({ type: "wait_for", target: { role: "button", name: "Add" }, maxMs: 10_000 });
for (const text of ["milk", "eggs"]) {
  await app.act({ type: "type", target: { role: "textbox", name: "Note" }, text });
  await app.act({ type: "type", target: { selector: "[name=secret]" }, text: "s3cret-of-ada" });
  await app.act({ type: "click", target: { text: "Add" } });
}
const { receipt } = await app.act({ type: "click", target: { text: "Remove milk" } });
const vanished = receipt?.vanished?.map(({ name }) => name) ?? [];

const { text } = await app.observe();
const left = [...text.matchAll(/button "Remove /g)].length;
const shown = Number(/(\d+)\s+notes/.exec(text)?.[1]);
const bug = shown === left ? undefined : `the counter says ${shown} and ${left} note is left`;

console.log(JSON.stringify({ bug, vanished }));
app.close();
process.exit(bug ? 0 : 1);
