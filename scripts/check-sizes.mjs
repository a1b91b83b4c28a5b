/** Fails when a source file is too long, or when the median file is. */
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { filesBelow } from "./lib/packages.mjs";
import { root } from "./lib/run.mjs";

const LONGEST = 400;
const MEDIAN = 130;

const base = resolve(process.argv[2] ?? root);
const isSource = (path) => /\.(tsx?|mjs)$/.test(path) && !path.endsWith(".d.ts");
const sizes = ["packages", "examples", "scripts", "tests", "bench"]
  .flatMap((dir) => filesBelow(join(base, dir), isSource))
  .map((file) => ({ file: relative(base, file), lines: readFileSync(file, "utf8").split("\n").length - 1 }))
  .sort((a, b) => a.lines - b.lines);
const median = sizes[Math.floor(sizes.length / 2)]?.lines ?? 0;
const tooLong = sizes.filter(({ lines }) => lines > LONGEST);

for (const { file, lines } of tooLong)
  console.error(`${file} has ${lines} lines, more than ${LONGEST}: split it by idea`);
if (median > MEDIAN) console.error(`the median source file has ${median} lines, more than ${MEDIAN}`);
console.log(`${sizes.length} source files, median ${median} lines, longest ${sizes.at(-1)?.lines}`);
process.exit(tooLong.length > 0 || median > MEDIAN ? 1 : 0);
