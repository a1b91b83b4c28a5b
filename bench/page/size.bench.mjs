/** What the SDK adds to a page before anything is connected, and what each part adds when it is needed. */
import { gzipSync } from "node:zlib";
import { readBuilt, report } from "./lib.mjs";

const kb = async (path) => gzipSync(await readBuilt(path), { level: 9 }).length / 1_024;

report("sdk core, min+gzip", await kb("packages/browser/dist/sdk.js"), "KB", 18);
report("sdk part that looks, min+gzip", await kb("packages/browser/dist/sdk-dom.js"), "KB", 39);
report("sdk part that acts, min+gzip", await kb("packages/browser/dist/sdk-act.js"), "KB", 15);
report("sdk part that records, min+gzip", await kb("packages/browser/dist/sdk-record.js"), "KB", 4);
report("sdk part that searches, min+gzip", await kb("packages/browser/dist/sdk-find.js"), "KB", 4);
report("sdk part that keeps chains, min+gzip", await kb("packages/browser/dist/sdk-causes.js"), "KB", 5);
report("sdk part that points, min+gzip", await kb("packages/browser/dist/sdk-point.js"), "KB", 4);
report(
  "sdk part that replays and lets the hub draw, min+gzip",
  await kb("packages/browser/dist/sdk-replay.js"),
  "KB",
  6,
);
report("sdk part that knows sources, min+gzip", await kb("packages/browser/dist/sdk-source.js"), "KB", 8);
report(
  "sdk part that reads components, min+gzip",
  await kb("packages/browser/dist/sdk-component.js"),
  "KB",
  9,
);
