import { afterAll, beforeAll, expect, it } from "vitest";
import { Stage } from "../e2e/relay/stage.js";
import { until } from "../fixtures.js";
import { randomNumbers } from "../support/machine/long-mode.js";
import { FaultLog, rounds } from "./support/fault-log.js";
import { Load } from "./support/playwright-load.js";
import { TabLoad } from "./support/tab-load.js";
import { startWitness } from "./support/witness.js";

const ROUNDS = rounds(4, 30);
/** Chrome disables an extension that reloads itself five times, each time within 10 s after the time before. */
const MAX_FAST_RELOADS = 3;
const FAST_RELOAD_MS = 10_500;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start({ pages: ["/", "/second"] });
});
afterAll(() => stage?.close());

it(
  `a killed or reloaded extension loses nothing that was acknowledged, and Playwright and tab sessions go on, ${ROUNDS} times`,
  async () => {
    const log = new FaultLog("extension", "evaluations");
    const random = randomNumbers();
    const witness = await startWitness();
    const playwright = new Load("playwright", stage, witness);
    const tab = new TabLoad("tab", "/second", stage, witness);
    const loads = [playwright, tab];
    let reloads = 0;
    const faults: Record<string, () => Promise<unknown>> = {
      "the extension's worker killed": () => stage.person.stopWorker(),
      async "the extension reloaded"() {
        if (++reloads % MAX_FAST_RELOADS === 0)
          await new Promise((resolve) => setTimeout(resolve, FAST_RELOAD_MS));
        await stage.person.reloadExtension();
      },
    };
    const names = Object.keys(faults);
    await until(() => loads.every(({ answered }) => answered > 3));
    for (let round = 0; round < ROUNDS; round++) {
      const name = names[round % names.length] as string;
      await new Promise((resolve) => setTimeout(resolve, 200 * random()));
      await faults[name]?.();
      log.count(name);
      const before = loads.map(({ answered }) => answered);
      await log
        .recover(() => until(() => loads.every(({ answered }, i) => answered > (before[i] ?? 0) + 3)))
        .catch(() => {
          const counts = loads.map(({ answered }, i) => answered - (before[i] ?? 0));
          throw new Error(`round ${round} (${name}): not well again; answered since then: ${counts}`);
        });
    }
    for (const load of loads) await load.stop();
    for (const { text, isAnswered } of loads.flatMap(({ asked }) => asked)) {
      if (isAnswered) log.acknowledge(1);
      if (isAnswered && witness.times(text) === 0) log.lose(`${text} was answered and not done`);
      if (witness.times(text) > 1) log.lose(`${text} was done twice`);
    }
    expect(playwright.wrong).toEqual([]);
    log.finish();
  },
  60_000 + ROUNDS * 60_000,
);
