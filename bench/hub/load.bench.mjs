/** The load table: what each attack costs the hub, and what others notice of it. Four seconds for each row; the tests of attacks run them longer. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { figure } from "../lib/figure.mjs";
import { exceeded, LIMITS } from "./load/limits.mjs";
import { ROWS } from "./load/rows.mjs";

const SECONDS = 4;
const run = promisify(execFile);
const script = new URL("./load/run.mjs", import.meta.url).pathname;

for (const name of Object.keys(ROWS)) {
  const { stdout } = await run(process.execPath, [script, name, String(SECONDS)]);
  const row = JSON.parse(stdout);
  const { load, control, before, after } = row;
  const round = Math.round;
  figure({
    name: `load: ${name}`,
    value: round(load.highest),
    unit: "MB",
    limit: LIMITS.highestMb,
    note:
      `${round(before)} MB before, ${round(after)} after; others p99 ${round(load.p99)} ms, /healthz ${round(load.health)} ms ` +
      `(a hub that is not attacked: p99 ${round(control.p99)} ms, worst ${round(control.worst)} ms); ${exceeded(row).join("; ") || "all held"}`,
  });
}
