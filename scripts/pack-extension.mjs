/** `npm run pack:extension -- FILE.zip`: writes the extension for the Chrome Web Store. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { zipExtension } from "./lib/extension-zip.mjs";
import { fail, log } from "./lib/log.mjs";
import { setUp } from "./lib/setup.mjs";

const [file] = process.argv.slice(2);
if (!file) fail("name a file for the extension: npm run pack:extension -- FILE.zip");
await setUp();
writeFileSync(resolve(file), zipExtension());
log(`wrote ${resolve(file)}; packages/extension/store/listing.md has the texts for the store`);
