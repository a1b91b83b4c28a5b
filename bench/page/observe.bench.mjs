/** A table of 100 rows as text: its price in tokens by a real tokenizer, its time, and that cursors reach everything. */
import { encode } from "gpt-tokenizer";
import { median, openPage, report, withBrowser } from "./lib.mjs";

const names = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Edsger Dijkstra", "Barbara Liskov"];
const rows = Array.from({ length: 100 }, (_, i) => {
  const name = names[i % names.length];
  return `<tr><td><input type="checkbox" aria-label="Select ${name} ${i}"></td><td>${name} ${i}</td><td>user${i}@example.org</td><td>Member</td><td>2026-01-${(i % 28) + 1}</td><td><button>Edit</button> <button>Delete</button></td></tr>`;
}).join("");
const table = `<main><h1>Users</h1><input placeholder="Search"><button>Add user</button><table><thead><tr><th></th><th>Name</th><th>E-mail</th><th>Role</th><th>Joined</th><th></th></tr></thead><tbody>${rows}</tbody></table></main>`;
const prose = `<main><h1>Notes</h1>${Array.from({ length: 40 }, (_, i) => `<section><h2>Section ${i}</h2><p>Größe, naïve façade, “quotes” and 数据 ${i}; 12345.67 € — see <a href="/x?y=${i}">https://example.org/a/b?c=${i}</a></p><button>Reply</button></section>`).join("")}</main>`;

await withBrowser(async (browser) => {
  const page = await openPage(browser, table);
  const answer = await page.evaluate(() => run({ type: "request_ui_tree", format: "text" }));
  report("observe 100-row table, real tokens", encode(answer.result).length, "tokens", 2_000);
  const { reached, wanted, pages, worst } = await page.evaluate(async () => {
    const wanted = new Set(engine.view.tree.entries.map((entry) => entry.item.ref));
    const reached = new Set();
    const texts = [];
    let cursor;
    do {
      const part = await run({ type: "request_ui_tree", format: "text", ...(cursor ? { cursor } : {}) });
      // A row has its elements on one line, each in brackets.
      for (const [, ref] of part.result.matchAll(/(?:^|\[)(e\d+)\b/gm)) reached.add(ref);
      texts.push([part.result, part.page.tokens]);
      cursor = part.page.nextCursor;
    } while (cursor && texts.length < 100);
    return {
      reached: [...wanted].filter((ref) => reached.has(ref)).length,
      wanted: wanted.size,
      pages: texts.length,
      worst: texts,
    };
  });
  console.error(`${pages} pages, ${answer.page.tokens} estimated\n${answer.result.slice(0, 900)}`);
  report("observe 100-row table, reachable by cursor", reached / wanted, "of all", 1, false);
  const proseText = await (await openPage(browser, prose)).evaluate(() =>
    run({ type: "request_ui_tree", format: "text", maxTokens: 20_000 }),
  );
  const ratios = [...worst, [proseText.result, proseText.page.tokens]].map(
    ([text, estimate]) => encode(text).length / estimate,
  );
  console.error(`real/estimated: ${ratios.map((ratio) => ratio.toFixed(2))}`);
  report("real tokens against the estimate, worst", Math.max(...ratios), "x", 1.1);
  const times = await page.evaluate(async () => {
    const times = [];
    for (let round = 0; round < 30; round++) {
      const started = performance.now();
      await run({ type: "request_ui_tree", format: "text" });
      times.push(performance.now() - started);
    }
    return times;
  });
  report("observe 100-row table, in the page, warm", median(times.slice(10)), "ms", 10);
});
