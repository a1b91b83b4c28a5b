/** How large an event is on the wire, for what applications log. */
import { figure } from "../lib/figure.mjs";
import { runPage } from "./lib.mjs";

const MIX = `
  const user = { id: 42, name: "Ada", roles: ["admin", "editor"], settings: { theme: "dark", pageSize: 25 } };
  for (let i = 0; i < 4; i++) {
    console.log("User logged in", user);
    console.info("GET /api/items?page=" + i + " 200 in 12 ms");
    console.debug("render", { component: "Cart", props: { items: 3, total: 12.5 }, ms: 1.7 });
    console.warn("Deprecated: use fetchAll instead of load");
    console.error(new TypeError("Cannot read properties of undefined (reading 'items')"));
    console.table([{ sku: "a1", qty: 2 }, { sku: "b7", qty: 1 }]);
    console.log("%cstate", "color: gray", { cart: { items: [{ sku: "a1", qty: 2 }], total: 9.5 }, user });
    console.count("render");
    console.log(document.body);
    console.log("items", [1, 2, 3, 4, 5]);
  }
  await report({ done: true });
`;

const { frames } = await runPage(MIX, { extension: true });
const events = frames.flatMap((frame) => JSON.parse(frame)).filter(({ type }) => type === "console_event");
if (events.length !== 40) throw new Error(`40 events were expected, ${events.length} came`);
const bytes = events.map((event) => Buffer.byteLength(JSON.stringify(event)));
figure({
  name: "average console event",
  value: bytes.reduce((sum, size) => sum + size, 0) / bytes.length,
  unit: "bytes",
  limit: 1_024,
});
