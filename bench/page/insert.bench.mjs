/** Inserting 12,000 elements, with everything captured, against the same page without the SDK. */
import { median, openPage, report, withBrowser } from "./lib.mjs";

const insert = () =>
  new Promise((resolve) => {
    const started = performance.now();
    const list = document.createElement("ul");
    document.body.append(list);
    for (let i = 0; i < 4_000; i++) {
      const item = document.createElement("li");
      const name = document.createElement("span");
      name.textContent = `Item ${i}`;
      const button = document.createElement("button");
      button.textContent = "Open";
      item.append(name, button);
      list.append(item);
    }
    list.getBoundingClientRect();
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(performance.now() - started);
      channel.port2.postMessage(0);
    });
  });

await withBrowser(async (browser) => {
  const times = { true: [], false: [] };
  for (let round = 0; round < 9; round++) {
    for (const engine of [false, true]) {
      const page = await openPage(browser, "<h1>List</h1>", { engine });
      await page.waitForTimeout(300);
      times[engine].push(await page.evaluate(insert));
      await page.close();
    }
  }
  const [without, withEngine] = [median(times.false), median(times.true)];
  console.error(`without ${without.toFixed(1)} ms, with ${withEngine.toFixed(1)} ms`);
  report("inserting 12,000 elements, with all capture against without", withEngine / without, "x", 1.25);
});
