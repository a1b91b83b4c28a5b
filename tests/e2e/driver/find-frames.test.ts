import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../fixtures.js";
import { type Driven, DriverStage, failure } from "./stage.js";

const stage = new DriverStage();
beforeAll(() => stage.start());
afterAll(() => stage.stop());

const otherSite = (path: string): string => stage.url(path).replace("127.0.0.1", "localhost");

interface Match {
  readonly ref: string;
  readonly name?: string;
}

async function find({ page }: Driven, wanted: object): Promise<{ lines: string[]; matches: Match[] }> {
  const { result = "", value } = await page.run({ type: "find", ...wanted } as never);
  return { lines: result.split("\n"), matches: (value as { matches: Match[] }).matches };
}

const rows = (place: string, count: number): string =>
  `<ul>${Array.from({ length: count }, (_, i) => `<li>${place} order ${i} <button>Open ${place} ${i}</button></li>`).join("")}</ul>`;

const frame = (path: string, more = ""): string =>
  `<iframe src="${otherSite(path)}" style="width:400px;height:150px" ${more}></iframe>`;

/** Opens a page, once each of these texts is in it. */
async function open(html: string, ...texts: string[]): Promise<Driven> {
  const driven = await stage.open(html);
  for (const text of texts) await driven.page.run({ type: "wait_for", text, maxMs: 20_000 });
  return driven;
}

test("matches of frames come after those of the page, in reading order, with refs that act", async () => {
  stage.answers.set("/a", `<p>order in A</p><button onclick="this.textContent = 'paid A'">Pay A</button>`);
  stage.answers.set("/inner", `<p>order in inner</p><button>Pay inner</button>`);
  stage.answers.set(
    "/b",
    `<p>order in B</p><button>Pay B</button>${frame("/inner").replace("localhost", "127.0.0.1")}`,
  );
  // The frame that comes first in the page arrives last.
  const driven = await open(
    `<h1>Top</h1><div id="slot"></div>${frame("/b")}<p>order of the page</p><button>Pay page</button>`,
    "order in B",
    "order in inner",
  );
  await driven.page.run({
    type: "evaluate",
    code: `slot.innerHTML = ${JSON.stringify(frame("/a"))}; 0`,
  });
  await driven.page.run({ type: "wait_for", text: "order in A" });
  const { lines, matches } = await find(driven, { role: "button", name: "pay" });
  expect(matches.map(({ name }) => name)).toEqual(["Pay page", "Pay A", "Pay B", "Pay inner"]);
  expect(lines.filter((line) => line.startsWith("in frame"))).toHaveLength(3);
  const [, ofA] = matches as [Match, Match];
  expect(ofA.ref).toMatch(/^f\d+e\d+$/);
  const { receipt } = await driven.page.run({ type: "click", target: { ref: ofA.ref } });
  const [paid] = (await find(driven, { text: "paid A" })).matches;
  expect(paid?.name).toBe("paid A");
  expect(receipt?.changed).toMatchObject([{ ref: paid?.ref, name: "paid A" }]);
  expect((await find(driven, { text: "no such order" })).lines).toEqual(["nothing matches"]);
});

test("every row of the page and its frames is reached within the budget, once, with its button", async () => {
  stage.answers.set("/many", rows("frame", 40));
  stage.answers.set("/few", rows("other", 3));
  const driven = await open(
    `${rows("page", 40)}${frame("/many")}${frame("/few")}`,
    "frame order 39",
    "other order 2",
  );
  const maxTokens = 200;
  const names: (string | undefined)[] = [];
  const read = async (more: object): Promise<string[]> => {
    const left: string[] = [];
    for (let cursor: string | undefined, calls = 0; ; calls++) {
      const {
        result = "",
        page,
        value,
      } = await driven.page.run({
        ...{ type: "find" as const, text: "order", maxTokens },
        ...(cursor ? { cursor } : {}),
        ...more,
      });
      names.push(...(value as { matches: Match[] }).matches.map(({ name }) => name));
      for (const line of result.split("\n")) {
        // A row is never separated from its button.
        if (line.includes("order")) expect(line).toMatch(/order (\d+) \[f?\d*e\d+ button "Open \w+ \1"\]/);
        for (const [, named = ""] of line.matchAll(/more may be in frames? ([^:]*):/g))
          left.push(...named.split(", "));
      }
      // The lines that name frames are on top of it.
      expect(page?.tokens).toBeLessThanOrEqual(maxTokens + 40);
      cursor = page?.nextCursor;
      if (!cursor || calls > 100) return left;
    }
  };
  const unread = await read({});
  expect(unread.length).toBeGreaterThan(0);
  const before = names.length;
  for (const ref of unread) await read({ target: { ref } });
  // A frame that was begun is read from its start: the rest are each there once.
  const later = names.slice(before);
  expect(new Set(later).size).toBe(later.length);
  expect(new Set(names).size).toBe(83);
});

test("a cursor that is gone is an error, although a frame has matches", async () => {
  stage.answers.set("/one", rows("frame", 2));
  const driven = await open(`${rows("page", 30)}${frame("/one")}`, "frame order 1");
  const { page } = await driven.page.run({ type: "find", text: "order", maxTokens: 100 });
  expect(page?.total).toBe(30);
  await driven.page.run({ type: "evaluate", code: "document.querySelector('ul').remove()" });
  const cursor = page?.nextCursor as string;
  const gone = await failure(driven.page.run({ type: "find", text: "order", maxTokens: 100, cursor }));
  expect(gone.code).toBe("cursor_expired");
});

// On a separate site: frames of other tests must not be in the process that it keeps busy.
test("a frame that does not answer is named, and holds up neither search, look nor click", async () => {
  stage.answers.set(
    "/busy",
    `<p>order in busy</p><script>onmessage = () => { for (const end = Date.now() + 60_000; Date.now() < end; ); }</script>`,
  );
  stage.answers.set("/calm", rows("calm", 1));
  const driven = await open(
    `<button id="go" onclick="this.textContent = 'gone'">Go order</button>${frame("/busy", 'id="busy"').replace("localhost", "busy.localhost")}
     ${frame("/calm").replace("localhost", "127.0.0.1")}<script>const block = () => busy.contentWindow.postMessage(0, "*")</script>`,
    "order in busy",
    "calm order 0",
  );
  await driven.page.run({ type: "evaluate", code: "block()" });
  await until(async () => {
    const { lines } = await find(driven, { text: "order" });
    return lines.some((line) => /^\(not searched: frame f\d+ \(no answer within \d+ ms\)\)$/.test(line));
  });
  const { matches } = await find(driven, { text: "order" });
  expect(matches.map(({ name }) => name)).toEqual(["Go order", "Open calm 0"]);
  const { result } = await driven.page.run({ type: "request_ui_tree", format: "text" });
  expect(result).toContain("(this frame does not answer)");
  const { receipt } = await driven.page.run({ type: "click", target: { selector: "#go" } });
  expect(receipt?.changed).toMatchObject([{ name: "gone" }]);
});

test("a frame that goes away during the search leaves the others", async () => {
  stage.answers.set("/gone", `${rows("leaving", 1)}`);
  stage.answers.set("/stays", rows("staying", 1));
  const driven = await open(
    `<div id="slot">${frame("/gone")}</div>${frame("/stays")}`,
    "leaving order 0",
    "staying order 0",
  );
  const [{ matches }] = await Promise.all([
    find(driven, { text: "order" }),
    driven.tab.evaluate(() => document.querySelector("iframe")?.remove()),
  ]);
  expect(matches.map(({ name }) => name)).toContain("Open staying 0");
  await until(async () => (await find(driven, { text: "order" })).matches.length === 1);
  expect((await find(driven, { text: "order" })).lines.join("\n")).not.toContain("not searched");
});
