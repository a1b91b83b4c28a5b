import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { drivePage, fromPuppeteer } from "@debug-bridge/driver";
import { type Browser, launch } from "puppeteer-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { PAGE_CHROMIUM } from "../../support/chrome/chromium.js";

let browser: Browser;
beforeAll(async () => {
  const { executablePath, args } = PAGE_CHROMIUM;
  browser = await launch({ executablePath, args: [...args] });
});
afterAll(() => browser.close());

const SCRIPT = `const [one, two, three] = document.querySelectorAll("button");
one.addEventListener("click", () => console.log("one"));

two.addEventListener("click", {
  handleEvent() {
    console.log("two");
  },
});
for (const button of [three]) button.addEventListener("click", Function("event", "console.log(event)"));
`;

const BODY = `<!doctype html><link rel="icon" href="data:,"><button>One</button><button>Two</button><button>Three</button><script src="/shop.js"></script>`;

async function drive(script: string): Promise<Awaited<ReturnType<typeof drivePage>>> {
  const server = createServer(({ url }, response) => {
    const isScript = url === "/shop.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
    response.end(isScript ? script : BODY);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const tab = await browser.newPage();
  const session = fromPuppeteer(await tab.createCDPSession(), (gone) => tab.once("close", gone));
  const page = await drivePage(session, { fresh: true });
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return page;
}

test("over CDP the listeners of a plain page lead to their script, and made code leads nowhere", async () => {
  const page = await drive(SCRIPT);
  const { result = "" } = await page.run({ type: "request_ui_tree", format: "text", source: true });
  expect(result).toContain('button "One" (shop.js:2 click listener)');
  expect(result).toContain('button "Two" (shop.js:5 click listener)');
  expect(result).toMatch(/button "Three"$/m);
});

test("our own requests are no records, and no end of an address makes a request of the page one of ours", async () => {
  const page = await drive(SCRIPT);
  const requested: string[] = [];
  page.onTelemetry((record) => {
    if (record.type === "network" && record.phase === "request") requested.push(record.url);
  });
  const look = { type: "request_ui_tree", format: "text", source: true } as const;
  expect((await page.run(look)).result).toContain("shop.js:2");
  const tab = (await browser.pages()).at(-1);
  await tab?.evaluate(() => fetch("/shop.js?own#debug-bridge").then((response) => response.text()));
  await page.recorded();
  expect(requested.map((url) => new URL(url).pathname + new URL(url).search)).toEqual(["/shop.js?own"]);
});

/** A script with two lines before it, and a map of sections that leads from each of its lines to one of the source. */
function withIndexMap(content: string): string {
  const mappings = [
    "AAAA",
    ...content
      .split("\n")
      .slice(1)
      .map(() => "AACA"),
  ].join(";");
  const part = { version: 3, sources: ["src/shop.ts"], sourcesContent: [content], names: [], mappings };
  const other = { ...part, sources: ["src/other.ts"], sourcesContent: ["let one;"], mappings: "AAAA" };
  const map = {
    version: 3,
    sections: [
      { offset: { line: 0, column: 0 }, map: other },
      { offset: { line: 2, column: 0 }, map: part },
    ],
  };
  const data = Buffer.from(JSON.stringify(map)).toString("base64");
  return `"use strict";\n\n${content}//# sourceMappingURL=data:application/json;base64,${data}\n`;
}

test("an index map leads to the file that was written, in both directions", async () => {
  const page = await drive(withIndexMap(SCRIPT));
  const { result = "" } = await page.run({ type: "request_ui_tree", format: "text", source: true });
  expect(result).toContain('button "One" (src/shop.ts:2 click listener)');
  const { value } = await page.run({ type: "find", source: "shop.ts:5" });
  expect((value as { matches: { name: string }[] }).matches.map(({ name }) => name)).toEqual(["Two"]);
});
