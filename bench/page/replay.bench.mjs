/**
 * Inserting 12,000 elements while a person watches the page, against the same page with the SDK that nobody watches, and
 * against a page without the SDK; and how long it takes until a watcher has the whole page.
 */
import { build } from "vite";
import { insert, openPage, report, root, withBrowser } from "./lib.mjs";

/** The recorder as a script with the global `Replay`. */
async function replayScript() {
  const output = await build({
    configFile: false,
    root,
    logLevel: "error",
    build: {
      write: false,
      target: "es2022",
      lib: {
        entry: `${root}packages/page/dist/replay/recorder.js`,
        name: "Replay",
        formats: ["iife"],
        fileName: "replay",
      },
    },
  });
  return [output].flat()[0].output[0].code;
}

const lowest = (values) => Math.min(...values);

await withBrowser(async (browser) => {
  const script = await replayScript();
  const times = { without: [], unwatched: [], watched: [] };
  const whole = [];
  for (let round = 0; round < 9; round++) {
    const ways = Object.keys(times);
    // Each goes first as often as the others: a machine is not equally fast all the time.
    for (const how of [...ways.slice(round % 3), ...ways.slice(0, round % 3)]) {
      const page = await openPage(browser, "<h1>List</h1>", { engine: how !== "without" });
      if (how === "watched") {
        await page.addScriptTag({ content: `${script};globalThis.Replay = Replay;` });
        await page.evaluate(() => {
          globalThis.nodes = 0;
          const { view, guard } = globalThis.engine;
          new globalThis.Replay.ReplayRecorder(view, guard, (json) => {
            for (const { data } of JSON.parse(json)) globalThis.nodes += data.adds?.length ?? 0;
          }).start();
        });
      }
      await page.waitForTimeout(500);
      times[how].push(await page.evaluate(insert));
      if (how === "watched") {
        const started = performance.now();
        // A list item, a name, a button and two texts each.
        await page.waitForFunction(() => globalThis.nodes >= 20_000, undefined, { timeout: 30_000 });
        whole.push(performance.now() - started);
      }
      await page.close();
    }
  }
  const [without, unwatched, watched] = Object.values(times).map(lowest);
  console.error(
    `without the SDK ${without.toFixed(1)} ms, unwatched ${unwatched.toFixed(1)} ms, watched ${watched.toFixed(1)} ms; all sent after ${Math.round(lowest(whole))} ms`,
  );
  report("inserting 12,000 elements, watched against without the SDK", watched / without, "x", 1.3);
  report("inserting 12,000 elements, watched against unwatched", watched / unwatched, "x", 1.3);
});
