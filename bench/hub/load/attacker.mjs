/** Runs one attack in a process of its own until it is killed. Arguments: its name, and the hub's addresses as JSON. */
import { ROWS } from "./rows.mjs";

const [name, hub] = process.argv.slice(2);
// What the hub cuts off is part of the attack.
process.on("uncaughtException", () => {});
process.on("unhandledRejection", () => {});
process.on("disconnect", () => process.exit());
const started = () => process.send?.("started");
if (!ROWS[name].startsLater) started();
await ROWS[name].attack(JSON.parse(hub), started);
process.send?.("all is sent");
