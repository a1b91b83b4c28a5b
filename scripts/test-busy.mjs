/**
 * `npm run test:busy`: runs all tests several times in a row while busy loops take the machine's time from them, to find
 * tests that only pass when nothing else runs. No test gets a second chance. `--loops 8`, `--times 3` and `--workers 4` are the
 * defaults; names or paths filter the tests.
 */
import { fork } from "node:child_process";
import { parseArgs } from "node:util";
import { log } from "./lib/log.mjs";
import { run } from "./lib/run.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    loops: { type: "string", default: "8" },
    times: { type: "string", default: "3" },
    // Twice as many as usual, so that the tests get about half of the machine, and disturb each other more.
    workers: { type: "string", default: "4" },
  },
});

const loops = Array.from({ length: Number(values.loops) }, () =>
  fork(new URL("./lib/busy-loop.mjs", import.meta.url)),
);
process.on("exit", () => {
  for (const loop of loops) loop.kill("SIGKILL");
});

let failedRuns = 0;
for (let time = 1; time <= Number(values.times); time++) {
  const started = Date.now();
  const { code } = await run(process.execPath, ["scripts/test.mjs", "--once", ...positionals], {
    env: { TEST_WORKERS: values.workers },
  });
  if (code !== 0) failedRuns++;
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  log(
    `run ${time} of ${values.times} beside ${loops.length} busy loops: exit code ${code}, ${minutes} minutes`,
  );
}
process.exit(failedRuns === 0 ? 0 : 1);
