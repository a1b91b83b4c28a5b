import { afterAll, beforeAll, expect, it } from "vitest";
import { Stage } from "../e2e/relay/stage.js";
import { until } from "../fixtures.js";
import { quietTime } from "../support/chrome/quiet-time.js";
import { randomNumbers } from "../support/machine/long-mode.js";
import { FaultLog, rounds } from "./support/fault-log.js";
import { Load } from "./support/playwright-load.js";
import { startWitness } from "./support/witness.js";

const ROUNDS = rounds(10, 40);
const HANG_MS = 5_000;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start({ pages: ["/", "/second"] });
});
afterAll(() => stage?.close());

it(
  `survives ${ROUNDS} random deaths under load: no hang, no wrong answer, and full recovery each time`,
  async () => {
    const log = new FaultLog("browser", "evaluations");
    const random = randomNumbers();
    const witness = await startWitness();
    const loads = [new Load("a", stage, witness), new Load("b", stage, witness)];
    const deaths: Record<string, () => Promise<unknown>> = {
      "the extension's worker killed": () => stage.person.stopWorker(),
      "the hub restarted": () => stage.restartHub(),
      "the client killed": () => (loads[0] as Load).kill(),
      "the page crashed": () => stage.person.crashPage(),
      "the tab closed": async () => {
        const pages = (await stage.person.targets()).filter(
          ({ type, url }) => type === "page" && url.startsWith("http"),
        );
        await stage.person.open(stage.site.url("/"));
        if (pages[0]) await fetch(`${stage.person.endpoint}/json/close/${pages[0].id}`);
      },
      "Chrome killed": () => stage.person.restart(stage.site.url("/"), stage.site.url("/second")),
    };
    // Each kind of death comes.
    const names = Object.keys(deaths);
    const order = Array.from(
      { length: ROUNDS },
      (_, i) => names[i < names.length ? i : Math.floor(random() * names.length)] as string,
    );
    await until(() => loads.every(({ answered }) => answered > 5));
    for (const [round, name] of order.entries()) {
      await deaths[name]?.();
      log.count(name);
      const before = loads.map(({ answered }) => answered);
      await log
        .recover(() => until(() => loads.every(({ answered }, i) => answered > (before[i] ?? 0) + 3)))
        .catch(() => {
          throw new Error(`round ${round} (${name}): not well again; ${JSON.stringify(order)}`);
        });
    }
    for (const load of loads) await load.stop();
    for (const { text, isAnswered } of loads.flatMap(({ asked }) => asked)) {
      if (isAnswered) log.acknowledge(1);
      if (isAnswered && witness.times(text) === 0) log.lose(`${text} was answered and not done`);
      if (witness.times(text) > 1) log.lose(`${text} was done twice`);
    }
    expect(loads.flatMap(({ wrong }) => wrong)).toEqual([]);
    const hangMs = quietTime(HANG_MS);
    for (const { slowestMs } of loads)
      for (const [kind, ms] of Object.entries(slowestMs)) expect(ms, kind).toBeLessThan(hangMs);
    log.finish();
  },
  60_000 + ROUNDS * 60_000,
);
