import jpeg from "jpeg-js";
import { describe, expect, it } from "vitest";
import { linesOf, type Stage, serve, stage } from "./stage.js";

/** A red square that turns green over a tenth of the page, and a dot that hardly shows. */
const PAGE = `<!doctype html><title>Clicks</title><style>body { margin: 0 } div { position: absolute }</style>
<div id="big" style="left: 100px; top: 100px; width: 400px; height: 400px; background: red" onclick="this.style.background = 'green'; hits.push([event.clientX, event.clientY])"></div>
<div id="dot" style="left: 600px; top: 100px; width: 40px; height: 40px; background: red" onclick="this.style.background = 'green'; hits.push([event.clientX, event.clientY])"></div>
<div id="dead" style="left: 600px; top: 300px; width: 100px; height: 100px; background: blue" onclick="hits.push([event.clientX, event.clientY, Date.now(), event.isTrusted])"></div>
<div style="left: 800px; top: 100px"><button id="ok-__ID__" onclick="hits.push('ok')">Save changes</button><button>Delete</button><button>Delete</button><button hidden>Save draft</button></div>
<script>window.hits = [];</script>`;

async function open(more = "", config = {}): Promise<Stage> {
  let visits = 0;
  const url = await serve({
    "/": (_, response) =>
      response
        .setHeader("content-type", "text/html")
        .end(PAGE.replace("__ID__", String(visits++ * 7_919 + 1_234))),
  });
  const on = stage(config);
  expect(await on.run(`<type>start</type><url>${url}/</url>${more}`)).toMatchObject({ success: true });
  return on;
}

const ranges = (x: [number, number], y: [number, number]): string =>
  `<type>click</type><xRange>{"min": ${x[0]}, "max": ${x[1]}}</xRange><yRange>{"min": ${y[0]}, "max": ${y[1]}}</yRange>`;

async function hits(on: Stage): Promise<unknown[]> {
  const { result } = await on.run("<type>evaluate</type><code>window.hits</code>");
  return (result as { value: unknown[] }).value;
}

describe("a click by targets", () => {
  it("uses the first pattern that matches one visible element, and explains its choice [RUN-069]", async () => {
    const on = await open();
    const response = await on.run(
      `<type>click</type><targets>#gone | Delete | button "Save changes"</targets>`,
    );
    expect(response).toMatchObject({
      success: true,
      result: {
        choice: {
          pattern: 'button "Save changes"',
          why: "the same text",
          element: expect.stringContaining("Save changes"),
        },
      },
    });
    expect(await hits(on)).toEqual(["ok"]);
    // Hidden elements do not count, and of two equal ones none is chosen.
    expect(await on.run("<type>click</type><targets>Save</targets>")).toMatchObject({ success: true });
    const two = await on.run("<type>click</type><targets>Delete</targets>");
    expect(two).toMatchObject({ success: false, error: { code: "ambiguous_target" } });
    const { candidates } = (two.error?.details ?? {}) as { candidates: { ref: string }[] };
    expect(candidates).toHaveLength(2);
    expect(await on.run(`<type>click</type><ref>${candidates[1]?.ref}</ref>`)).toMatchObject({
      success: true,
    });
  });

  it("warns which of several names it ignores", async () => {
    const { run } = stage();
    const url = await serve({ "/": "<title>-</title><button>Go</button>" });
    await run(`<type>start</type><url>${url}/</url>`);
    const response = await run(
      `<type>click</type><targets>Go</targets><xRange>{"min": 1, "max": 2}</xRange><yRange>{"min": 1, "max": 2}</yRange>`,
    );
    expect(response.success).toBe(true);
    expect(linesOf(response).join("\n")).toContain("named by targets; xRange with yRange is ignored");
  });

  it("finds an element whose generated id changed when its text stayed [RUN-070]", async () => {
    const on = await open();
    const targets = "<type>click</type><targets>#ok-1234 | Save changes</targets>";
    expect(await on.run(targets)).toMatchObject({ result: { choice: { pattern: "#ok-1234" } } });
    await on.run("<type>evaluate</type><code>location.reload()</code>");
    await on.run("<type>wait</type><targets>Save changes</targets>");
    expect(await on.run(targets)).toMatchObject({
      success: true,
      result: { choice: { pattern: "Save changes" } },
    });
  });
});

describe("a click by ranges", () => {
  it("is at their midpoint, trusted, with a receipt and the element there [RUN-072]", async () => {
    const on = await open();
    const response = await on.run(ranges([600, 700], [310, 330]));
    expect(response).toMatchObject({
      success: true,
      result: { at: { x: 650, y: 320 }, element: expect.any(String) },
    });
    expect(response.receipt).toBeDefined();
    const [hit] = (await hits(on)) as [number, number, number, boolean][];
    expect(hit).toMatchObject([650, 320, expect.any(Number), true]);
    const silent = linesOf(response).filter((line) => line.includes("debug"));
    expect(silent).toEqual([]);
  });

  it("logs its coordinates and ranges in debug mode [RUN-049, RUN-073]", async () => {
    const on = await open("<debug>true</debug>");
    const response = await on.run(ranges([600, 700], [310, 330]));
    expect(linesOf(response).join("\n")).toContain(
      "tool debug automation: clicked at 650, 320 (xRange 600 to 700, yRange 310 to 330), on ",
    );
  });

  it("outside of the viewport is refused with the ranges [RUN-074]", async () => {
    const on = await open();
    const response = await on.run(ranges([5000, 5010], [10, 20]));
    expect(response).toMatchObject({ success: false, error: { code: "not_actionable" } });
    expect(response.error?.message).toContain("xRange 5000 to 5010, yRange 10 to 20");
    expect(response.error?.message).toContain("1280 x 800");
  });

  it("means CSS pixels, whatever the device's pixels are; so does a screenshot", async () => {
    const on = await open("<deviceScaleFactor>2</deviceScaleFactor><width>900</width><height>600</height>");
    await on.run(ranges([600, 700], [310, 330]));
    expect(((await hits(on)) as number[][])[0]?.slice(0, 2)).toEqual([650, 320]);
    const { screenshots } = await on.run("<type>screenshot</type>");
    const { width, height } = jpeg.decode(Buffer.from(screenshots?.post?.source.data ?? "", "base64"));
    expect([width, height]).toEqual([900, 600]);
  });
});

describe("a click with visualVerify", () => {
  const verify = (threshold?: number): string =>
    `<visualVerify>true</visualVerify>${threshold === undefined ? "" : `<visualThreshold>${threshold}</visualThreshold>`}`;

  it("succeeds at once when enough changes [RUN-077]", async () => {
    const on = await open();
    const response = await on.run(`${ranges([200, 300], [200, 300])}${verify()}`);
    expect(response).toMatchObject({ success: true, result: { tries: 1, visualChange: expect.any(Number) } });
    expect((response.result as { visualChange: number }).visualChange).toBeGreaterThan(0.1);
  });

  it("takes the second screenshot 100 ms after the click [RUN-082]", async () => {
    const on = await open();
    await on.run(`${ranges([200, 300], [200, 300])}${verify()}`);
    const records = (await on.hub()).connectClient({ name: "reader" }).records("s");
    const at = (index: number): number => Date.parse(records[index]?.timestamp ?? "");
    const clicked = records.findLastIndex(
      ({ type, data }) =>
        type === "command_result" && (data as { requestType: string }).requestType === "click",
    );
    const pictured = records.findLastIndex(
      ({ type, data }) => type === "command" && (data as { type: string }).type === "screenshot",
    );
    expect(clicked).toBeGreaterThan(0);
    expect(pictured).toBeGreaterThan(clicked);
    expect(at(pictured) - at(clicked)).toBeGreaterThanOrEqual(99);
  });

  it("is tried three times with half a second between, at points inside the ranges, and then fails [RUN-080, RUN-081, RUN-083]", async () => {
    const on = await open();
    const response = await on.run(`${ranges([610, 690], [310, 390])}${verify()}`);
    expect(response).toMatchObject({
      success: false,
      error: { code: "not_actionable", details: { tries: 3 } },
    });
    expect(response.error?.message).toMatch(
      /3 clicks changed at most 0%.*xRange 610 to 690, yRange 310 to 390\), at ./,
    );
    const all = (await hits(on)) as [number, number, number][];
    expect(all).toHaveLength(3);
    expect(all[0]?.slice(0, 2)).toEqual([650, 350]);
    expect(new Set(all.map(([x, y]) => `${x} ${y}`)).size).toBe(3);
    for (const [x, y] of all) {
      expect(x >= 610 && x <= 690 && y >= 310 && y <= 390).toBe(true);
    }
    for (const i of [1, 2]) expect((all[i]?.[2] ?? 0) - (all[i - 1]?.[2] ?? 0)).toBeGreaterThanOrEqual(600);
  });

  it("counts a change below the threshold as none, and a lower threshold sees it [RUN-078, RUN-079]", async () => {
    const dot = ranges([610, 630], [110, 130]);
    const missed = await (await open()).run(`${dot}${verify()}`);
    expect(missed.success).toBe(false);
    expect(missed.error?.message).toMatch(/at most 0\.1\d*%.*set visualThreshold to 0\.000\d/);
    expect(await (await open()).run(`${dot}${verify(0.001)}`)).toMatchObject({
      success: true,
      result: { tries: 1 },
    });
  });
});
