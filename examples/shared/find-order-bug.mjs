/**
 * What an agent does with the bridge: buys something, and compares what the shop shows with what really happened.
 * Prints a report as JSON; the exit code is 0 when the bug was found.
 *
 * node find-order-bug.mjs HUB SESSION   (the token in DEBUG_BRIDGE_TOKEN)
 */
import { connect } from "@debug-bridge/client";

const [hub, sessionId] = process.argv.slice(2);
const app = await connect({ hub, sessionId, token: process.env.DEBUG_BRIDGE_TOKEN, name: "bug-hunter" });

const steps = [];
async function act(command) {
  const { receipt, applied } = await app.act(command);
  steps.push({ command, receipt, applied });
  return receipt;
}

await app.act({ type: "wait_for", target: { role: "button", name: "Add Green tea" }, maxMs: 10_000 });
const { text } = await app.observe();

const added = await act({ type: "click", target: { role: "button", name: "Add Green tea" } });
const cartChanged = added?.state?.some(({ scope }) => scope === "cart") ?? false;
await act({ type: "click", target: { role: "link", name: "Checkout" } });
await act({ type: "type", target: { role: "textbox", name: "Name" }, text: "Ada Lovelace" });
await act({
  type: "type",
  target: { role: "textbox", name: "Card password" },
  text: "s3cret-of-ada",
  clear: true,
});
await act({ type: "select", target: { role: "combobox", name: "Delivery" }, values: ["Express"] });
await act({ type: "click", target: { role: "checkbox", name: "Gift" } });
const order = await act({ type: "click", target: { role: "button", name: "Place order" } });

const failed = order?.requests?.find(({ status }) => status !== undefined && status >= 400);
const after = await app.observe();
const thanked = after.text.includes("Thank you");
const bug =
  failed && thanked
    ? `${failed.method} ${new URL(failed.url).pathname} answers ${failed.status}, and the shop thanks all the same`
    : undefined;

console.log(
  JSON.stringify({
    bug,
    cartChanged,
    allApplied: steps.every(({ applied }) => applied !== false),
    sawProducts: text.includes("Green tea"),
    log: order?.console?.map(({ text: line }) => line) ?? [],
  }),
);
app.close();
process.exit(bug ? 0 : 1);
