/**
 * `npm run bench [-- FILTER]`: runs every file of bench/ by itself and shows what it measured. A bench prints one JSON
 * line for each figure: {"name", "value", "unit", "limit", "ok"}; "ok" says whether the figure keeps its limit.
 */
import { spawn } from "node:child_process";
import { relative } from "node:path";
import { createInterface } from "node:readline";
import { ensureChromium } from "./lib/chromium.mjs";
import { log } from "./lib/log.mjs";
import { filesBelow } from "./lib/packages.mjs";
import { root } from "./lib/run.mjs";
import { setUp } from "./lib/setup.mjs";

await setUp();
process.env.CHROME_PATH = await ensureChromium();

const filter = process.argv[2] ?? "";
const files = filesBelow(`${root}bench`, (path) => path.endsWith(".bench.mjs") && path.includes(filter));
let missed = 0;

for (const file of files) {
  log(relative(root, file));
  const code = await measure(file);
  if (code !== 0) missed++;
}
console.log(
  missed === 0 ? "every figure keeps its limit" : `${missed} figures or files do not keep their limit`,
);
process.exit(missed === 0 ? 0 : 1);

function measure(file) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--expose-gc", file], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (!line.startsWith("{")) return console.log(line);
      const { name, value, unit, limit, ok, note } = JSON.parse(line);
      if (!ok) missed++;
      const against = limit === undefined ? "" : ` (limit ${limit})`;
      console.log(
        `${ok ? "ok  " : "MISS"} ${name.padEnd(58)} ${String(value).padStart(9)} ${unit}${against}${note ? `  ${note}` : ""}`,
      );
    });
    child.on("close", (code) => resolve(code ?? 1));
  });
}
