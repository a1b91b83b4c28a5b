import { fileURLToPath } from "node:url";
import { vendor } from "../../scripts/lib/vendor.mjs";

/** The runner needs only the launcher and CDP of puppeteer-core: 1 MB instead of the 58 MB of all its dependencies. */
await vendor({
  dir: fileURLToPath(new URL(".", import.meta.url)),
  entries: { "puppeteer-core": "puppeteer-core" },
  external: ["bufferutil", "utf-8-validate"],
  replace: {
    "/puppeteer/bidi/bidi.js": "throw new Error('this build of puppeteer-core speaks CDP only');",
    // It downloads browsers through a proxy. The runner launches a Chrome that is already installed.
    "/proxy-agent/dist/index.js": "export class ProxyAgent {}",
  },
});
