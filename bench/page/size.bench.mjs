/** What the SDK adds to a page before anything is connected, and what comes after. */
import { gzipSync } from "node:zlib";
import { readBuilt, report } from "./lib.mjs";

const kb = async (path) => gzipSync(await readBuilt(path), { level: 9 }).length / 1_024;

report("sdk core, min+gzip", await kb("packages/browser/dist/sdk.js"), "KB", 18);
report("sdk part that looks and acts, min+gzip", await kb("packages/browser/dist/sdk-dom.js"), "KB", 38);
