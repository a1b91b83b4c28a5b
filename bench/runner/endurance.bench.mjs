/** A thousand actions in one browser: what they leave in the memory and in the open handles of the process. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BrowserSessions } from "@debug-bridge/runner";
import { figure } from "../lib/figure.mjs";
import { servePage, startQuietHub, temporaryFolder } from "./lib.mjs";

/** Until the hub's window of the session's timeline is full; it grows up to there, and no further. */
const WARM = 1_500;
const ACTIONS = 1_000;
setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");

const page = await servePage();
const home = temporaryFolder();
const hub = await startQuietHub(home.path);
const sessions = new BrowserSessions();
const options = { sessionId: "bench", hub, home: home.path, config: { tempProfile: true } };
const run = async (xml) => {
  const response = await sessions.handle(xml, options);
  if (!response.success) throw new Error(`${xml}: ${response.error.message}`);
};
const act = (i) =>
  i % 3 === 0
    ? run("<type>click</type><targets>Add order</targets>")
    : i % 3 === 1
      ? run(`<type>type</type><selector>#name</selector><text>n${i}</text><clear>true</clear>`)
      : run("<type>evaluate</type><code>console.log('told'), 1</code>");

/** After what can be freed has been. */
async function measure() {
  for (let i = 0; i < 3; i++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { heap: process.memoryUsage().heapUsed, handles: process.getActiveResourcesInfo().length };
}

try {
  await run(`<type>start</type><url>${page.url}</url>`);
  for (let i = 0; i < WARM; i++) await act(i);
  const before = await measure();
  const startedAt = performance.now();
  for (let i = 0; i < ACTIONS; i++) await act(i);
  const perAction = (performance.now() - startedAt) / ACTIONS;
  const after = await measure();
  figure({
    name: `growth of the heap over ${ACTIONS} actions`,
    value: (after.heap - before.heap) / 1_000_000,
    unit: "MB",
    limit: 1,
    note: `${(before.heap / 1e6).toFixed(1)} MB before, ${perAction.toFixed(1)} ms for each action`,
  });
  figure({
    name: `growth of open handles over ${ACTIONS} actions`,
    value: after.handles - before.handles,
    unit: "handles",
    limit: 0,
    note: `${before.handles} before`,
  });
} finally {
  await sessions.closeAll();
  await hub.close();
  page.close();
  home.remove();
}
