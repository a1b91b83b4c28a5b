import { estimateTokens } from "@debug-bridge/protocol";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { APP } from "./app.js";
import { startLoop } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

test("each save of a text, a style, a component, a syntax error and its fix gets the right receipt in one call", async () => {
  const { page, save, receipt, mcp } = await startLoop(browser, APP);
  await page.fill("#name", "Ada");
  const short = (text: string): string => {
    expect(estimateTokens(text)).toBeLessThanOrEqual(300);
    return text;
  };

  save("src/app.tsx", "Your cart", "Your basket");
  const text = short(await receipt());
  expect(text).toContain("edit src/app.tsx: hot update");
  expect(text).toContain('- "# Your cart"');
  expect(text).toContain('+ "# Your basket"');
  expect(text).toContain("state kept (1)");

  save("src/style.css", "black", "rgb(200, 0, 0)");
  const style = short(await receipt("style.css"));
  expect(style).toContain("edit src/style.css: hot update");
  expect(style).toMatch(/heading "Your basket": .*color/);

  save("src/total.tsx", "prices.length", "prices.reduce((sum, price) => sum + price, 0)");
  const component = short(await receipt("src/total.tsx"));
  expect(component).toContain("edit src/total.tsx: hot update");
  expect(component).toContain('- "Total: 2"');
  expect(component).toContain('+ "Total: 3"');

  save("src/total.tsx", "return <p>", "return <p");
  const broken = short(await receipt());
  expect(broken).toMatch(/edit src\/total\.tsx: build error: src\/total\.tsx:2/);
  expect(broken).toContain("return <p");
  expect(broken).not.toContain("settled");

  save("src/total.tsx", "return <p", "return <p>");
  const fixed = short(await receipt());
  expect(fixed).toContain("edit src/total.tsx: hot update");
  expect(fixed).toContain("error gone:");
  expect(await page.inputValue("#name")).toBe("Ada");

  save("index.html", "<title>Shop", "<title>Store");
  const reloaded = short(await receipt());
  expect(reloaded).toContain("edit index.html: full reload");
  expect(reloaded).toContain('state lost: field "Name"');

  save("src/notes.txt", "nobody", "still nobody");
  expect(short(await receipt())).toContain("edit src/notes.txt: no page uses it");

  const { text: logs } = await mcp.call("logs", { session: "app" });
  expect(logs).toContain("edit src/app.tsx: hot update");
  expect(logs).not.toMatch(/\?token=/);
});

test("elements that an overlay of the development server was shown over are no effect of the edit that removes it", async () => {
  // As Next.js shows it: over the whole page, in a separate element.
  const overlay = `document.body.insertAdjacentHTML("beforeend", '<nextjs-portal style="position: fixed; inset: 0; background: white">Failed to compile</nextjs-portal>');`;
  const { save, receipt } = await startLoop(browser, {
    "index.html":
      '<!doctype html><h1>Shop</h1><button>Pay</button><button>Leave</button><script type="module" src="/src/main.js"></script>',
    "src/main.js": `document.querySelector("nextjs-portal")?.remove();
document.querySelector("h1").textContent = "Shop";
${overlay}
import.meta.hot?.accept();
`,
  });
  save("src/main.js", `"Shop";\n${overlay}`, '"Store";');
  const text = await receipt();
  expect(text).toContain('+ "# Store"');
  expect(text).not.toMatch(/visible|Failed to compile/);
});

test("an update that comes together with a full reload has one receipt, of both", async () => {
  const { save, receipt } = await startLoop(
    browser,
    {
      "index.html": '<!doctype html><h1></h1><p>Shop</p><script type="module" src="/src/main.js"></script>',
      "src/main.js": `import { text } from "./text.js";
document.querySelector("h1").textContent = text;
`,
      "src/text.js": `export const text = "Old";
import.meta.hot?.accept(() => {});
`,
    },
    {
      plugins: [
        {
          name: "both",
          // As Astro does for a page with its own styles.
          handleHotUpdate: ({ server }: { server: { ws: { send(payload: object): void } } }) =>
            server.ws.send({ type: "full-reload" }),
        },
      ],
    },
  );
  save("src/text.js", "Old", "New");
  const text = await receipt();
  expect(text).toContain("edit src/text.js: full reload");
  expect(text).toContain('+ "# New"');
  expect(text).not.toContain("not settled");
});

test("a page that is loaded again before it has settled is compared with what it showed first", async () => {
  const { page, save, receipt } = await startLoop(
    browser,
    {
      "index.html": '<!doctype html><h1></h1><script type="module" src="/src/main.js"></script>',
      // It takes longer to settle than the second save comes after the first.
      "src/main.js": `document.querySelector("h1").textContent = "One";
let ticks = 0;
const clock = document.body.appendChild(document.createElement("p"));
setInterval(() => { if (ticks < 100) clock.textContent = "tick " + ++ticks; }, 20);
`,
    },
    { plugins: [] },
  );
  const shows = (text: string) => page.getByRole("heading", { name: text }).waitFor();
  await shows("One");
  save("src/main.js", "One", "Two");
  await shows("Two");
  save("src/main.js", "Two", "Three");
  await shows("Three");
  let texts = await receipt();
  // On a busy machine the first reload may be reported by itself.
  if (!texts.includes("Three")) texts += await receipt();
  expect(texts).toContain('- "# One"');
  expect(texts).toContain('+ "# Three"');
});

test("an error that an edit brings is in its receipt, and gone when the next one removes it", async () => {
  const { save, receipt } = await startLoop(browser, APP);
  save("src/total.tsx", "return", 'if (prices.length > 1) throw new Error("too many prices");\n  return');
  expect(await receipt()).toContain("too many prices");
  save("src/total.tsx", 'throw new Error("too many prices")', 'console.log("many prices")');
  const fixed = await receipt();
  expect(fixed).toMatch(/error gone: .*too many prices/);
  expect(fixed).toContain("many prices");
});

test("edits in quick succession are reported apart or merged, and the receipt says which", async () => {
  const { save, receipt } = await startLoop(browser, APP);
  save("src/app.tsx", "Your cart", "One");
  save("src/total.tsx", "Total:", "Sum:");
  const text = await receipt();
  expect(text).toMatch(/saves, merged|before it: edit|edit src\/(app|total)\.tsx, src\/(app|total)\.tsx/);
  expect(text).toContain("Sum: 2");
});

test("a wait without an edit says what to do, and one that was given is not given again", async () => {
  const { save, receipt } = await startLoop(browser, APP);
  save("src/app.tsx", "Your cart", "Mine");
  expect(await receipt()).toContain("Mine");
  expect(await receipt(true, { maxMs: 700 })).toContain("save the file");
  expect(await receipt("nowhere.ts", { maxMs: 300 })).toContain('no edit of "nowhere.ts"');
});

test("the state of a component that is reported is kept by a hot update and lost by a full reload, and receipts say so", async () => {
  const { page, save, receipt } = await startLoop(browser, {
    ...APP,
    "src/total.tsx": `import { useEffect, useState } from "react";
export function Total() {
  const [count, setCount] = useState(0);
  useEffect(() => (globalThis as any).debugBridge?.sendCustomState("counter", { count }), [count]);
  return <button id="count" onClick={() => setCount(count + 1)}>Count: {count}</button>;
}
`,
    "src/app.tsx": APP["src/app.tsx"].replace("<Total prices={[1, 2]} />", "<Total />"),
  });
  for (const _ of [1, 2, 3]) await page.click("#count");

  save("src/total.tsx", "Count:", "Clicks:");
  const kept = await receipt();
  expect(kept).toContain("edit src/total.tsx: hot update");
  expect(kept).toContain("Clicks: 3");
  expect(kept).toContain("state kept (1)");
  expect(kept).not.toContain("state lost");

  save("index.html", "<title>Shop", "<title>Store");
  const lost = await receipt();
  expect(lost).toContain("edit index.html: full reload");
  expect(lost).toContain('state lost: state "counter"');
  expect(lost).not.toContain("state kept");
  expect(lost).toContain("Clicks: 0");
});
