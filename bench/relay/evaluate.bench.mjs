/**
 * What the relay adds to `evaluate`, one after the other and many at once, against the same browser's own CDP port. Most of it is Chrome's
 * own way from a socket to `chrome.debugger`: `bare-limit` measures that, and has the limit.
 */
import { figure, median } from "../lib/figure.mjs";
import { startStage } from "./lib.mjs";

const ROUNDS = 6;
const CALLS = 150;
const PIPELINED = 1_000;

const stage = await startStage();
try {
  for (const client of ["playwright", "puppeteer"]) {
    const times = { direct: [], relay: [] };
    const bursts = { direct: [], relay: [] };
    for (let round = -1; round < ROUNDS; round++) {
      for (const way of ["direct", "relay"]) {
        const browser = await stage[client](stage[way]);
        const pages = client === "playwright" ? browser.contexts()[0].pages() : await browser.pages();
        const page = pages.find((each) => each.url().startsWith(stage.url));
        for (let i = 0; i < 50; i++) await page.evaluate(() => 1);
        for (let i = 0; i < CALLS; i++) {
          const started = performance.now();
          await page.evaluate(() => 1);
          if (round >= 0) times[way].push(performance.now() - started);
        }
        const started = performance.now();
        await Promise.all(Array.from({ length: PIPELINED }, () => page.evaluate(() => 1)));
        if (round >= 0) bursts[way].push(performance.now() - started);
        if (client === "playwright") await browser.close();
        else browser.disconnect();
      }
    }
    const [direct, relay] = [median(times.direct), median(times.relay)];
    figure({
      name: `${client}: evaluate through the relay`,
      value: relay / direct,
      unit: "x direct",
      note: `medians ${direct.toFixed(2)} and ${relay.toFixed(2)} ms`,
    });
    const [directBurst, relayBurst] = [median(bursts.direct), median(bursts.relay)];
    figure({
      name: `${client}: ${PIPELINED} pipelined evaluates, throughput`,
      value: directBurst / relayBurst,
      unit: "of direct",
      ...(client === "playwright" ? { limit: 0.6, atLeast: true } : {}),
      note: `${directBurst.toFixed(0)} and ${relayBurst.toFixed(0)} ms`,
    });
  }
} finally {
  await stage.close();
}
