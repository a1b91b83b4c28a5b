/** Many tabs open: how fast a client connects, what one that hangs costs, and how fast the first command is. */
import { figure, median } from "../lib/figure.mjs";
import { connectRaw, startForwarder, writeBareExtension } from "./bare.mjs";
import { startStage } from "./lib.mjs";

const TABS = 60;
const ROUNDS = 3;

const forwarder = await startForwarder();
const stage = await startStage({
  tabs: TABS,
  more: (folder) => writeBareExtension(folder, forwarder.port),
});
try {
  const connect = async (way) => {
    const started = performance.now();
    const browser = await stage.playwright(stage[way]);
    const took = performance.now() - started;
    await browser.close();
    return took;
  };
  const times = { direct: [], relay: [] };
  for (let round = -1; round < ROUNDS; round++)
    for (const way of ["relay", "direct"]) {
      const took = await connect(way);
      if (round >= 0) times[way].push(took);
    }
  const [direct, relay] = [median(times.direct), median(times.relay)];
  figure({
    name: `connect with ${TABS} tabs open`,
    value: relay / direct,
    unit: "x direct",
    limit: 1,
    note: `${direct.toFixed(0)} and ${relay.toFixed(0)} ms`,
  });

  const cold = [];
  for (let round = 0; round < 6; round++) {
    const browser = await stage.playwright(stage.relay);
    const page = browser.contexts()[0].pages()[10 + round];
    const started = performance.now();
    await page.evaluate(() => 1);
    cold.push(performance.now() - started);
    await browser.close();
  }
  // What Chrome alone takes: a bare extension attaches to a tab and evaluates in it.
  const bare = await connectRaw(`ws://127.0.0.1:${forwarder.port}/client`);
  const bareCold = [];
  for (let round = 0; round < 6; round++) {
    const started = performance.now();
    await bare.send("attach", { url: `${stage.url}?${30 + round}` });
    await bare.send("Runtime.evaluate", { expression: "1" });
    bareCold.push(performance.now() - started);
  }
  bare.close();
  const platform = median(bareCold.slice(1));
  figure({
    name: "first command on a cold tab",
    value: median(cold.slice(1)),
    unit: "ms",
    limit: 60,
    note: `a bare extension attaches and evaluates in ${platform.toFixed(1)} ms`,
    platform,
  });

  const stuck = await stage.playwright(stage.relay);
  void stuck
    .contexts()[0]
    .pages()[3]
    .evaluate("for (;;);")
    .catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 300));
  const beside = [await connect("relay"), await connect("relay"), await connect("relay")];
  figure({
    name: "connect beside a tab that hangs",
    value: median(beside) / relay,
    unit: "x without it",
    limit: 2,
    note: `${median(beside).toFixed(0)} ms; direct CDP times out`,
  });
} finally {
  await stage.close();
  forwarder.end();
}
