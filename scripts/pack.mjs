/** `npm run pack -- FOLDER`: writes every package into a folder, as npm would publish it. */
import { resolve } from "node:path";
import { fail, log } from "./lib/log.mjs";
import { packAll } from "./lib/pack.mjs";
import { setUp } from "./lib/setup.mjs";

const [folder] = process.argv.slice(2);
if (!folder) fail("name a folder for the packages: npm run pack -- FOLDER");
await setUp();
const tarballs = await packAll(resolve(folder));
log(`wrote ${tarballs.length} packages; in your app, run: npm install --save-dev ${resolve(folder)}/*.tgz`);
