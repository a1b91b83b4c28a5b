/** What keeping chains costs an app: nothing before and after, and a little for each callback while they are kept. */
import { build } from "vite";
import { openPage, report, root, withBrowser } from "./lib.mjs";

const ROUNDS = 15;
const CALLBACKS = 300_000;
/** Few enough that keeping chains does not end itself. */
const FEW = 1_000;

const built = await build({
  configFile: false,
  root,
  logLevel: "error",
  build: {
    write: false,
    target: "es2022",
    lib: {
      entry: `${root}bench/page/causes-entry.mjs`,
      name: "Causes",
      formats: ["iife"],
      fileName: "causes",
    },
  },
});
const script = [built].flat()[0].output[0].code;

/** Milliseconds for so many callbacks of promises; the fastest of several. */
const measure = async ({ rounds, callbacks }) => {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    let promise = Promise.resolve(0);
    for (let i = 0; i < callbacks; i++) promise = promise.then((count) => count + 1);
    await promise;
    best = Math.min(best, performance.now() - startedAt);
    // Keeping chains ends itself when it costs too much of a second.
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  return best;
};

await withBrowser(async (browser) => {
  const page = await openPage(browser, "<h1>Callbacks</h1>", { engine: false });
  await page.addScriptTag({
    content: `${script}
    globalThis.capture = Causes.createTelemetryCapture({ emit: () => {} }); capture.start();
    globalThis.keep = (forMs) => Causes.causes({ forMs }, { capture }).value;`,
  });
  const options = { rounds: ROUNDS, callbacks: CALLBACKS };
  const natives = await page.evaluate(() => {
    globalThis.before = [
      Promise.prototype.then,
      setTimeout,
      fetch,
      XMLHttpRequest,
      MessageChannel,
      WebSocket,
    ];
    return globalThis.before.length;
  });
  const off = await page.evaluate(measure, options);
  await page.evaluate(() => globalThis.keep(600_000));
  const on = await page.evaluate(measure, { rounds: 5, callbacks: FEW });
  const stopped = await page.evaluate(() => globalThis.keep(600_000).stopped);
  await page.evaluate(() => globalThis.keep(0));
  const restored = await page.evaluate(
    () =>
      [Promise.prototype.then, setTimeout, fetch, XMLHttpRequest, MessageChannel, WebSocket].filter(
        (each, i) => each === globalThis.before[i],
      ).length,
  );
  const after = await page.evaluate(measure, options);
  console.error(
    `off ${off.toFixed(2)} ms, on ${on.toFixed(2)} ms, off again ${after.toFixed(2)} ms; ${stopped ?? ""}`,
  );
  report(
    "functions of the platform that are as before, after chains were kept",
    restored,
    "functions",
    natives,
    false,
  );
  report("callbacks after chains were kept against before", after / off, "x", 1.25);
  report("each callback while chains are kept", (on * 1_000) / FEW, "us", 40);
});
