/** Inserting 12,000 elements, with everything captured, against the same page without the SDK. */
import { insert, median, openPage, report, withBrowser } from "./lib.mjs";

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
  const note = `without ${without.toFixed(1)} ms, with ${withEngine.toFixed(1)} ms`;
  report(
    "inserting 12,000 elements, with all capture against without",
    withEngine / without,
    "×",
    1.25,
    true,
    note,
  );
});
