import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import jpeg from "jpeg-js";
import { describe, expect, it } from "vitest";
import { linesOf, type Stage, serve, stage } from "./stage.js";

const PAGE = `<!doctype html><title>Pictures</title><body style="margin: 0; height: 2400px; background: linear-gradient(red, blue)"><button onclick="document.body.style.background = 'lime'">Turn</button>
<canvas id="noise" width="1200" height="700"></canvas><script>
const c = noise.getContext("2d"); const d = c.createImageData(1200, 700); for (let i = 0; i < d.data.length; i++) d.data[i] = i % 4 === 3 ? 255 : Math.random() * 256; c.putImageData(d, 0, 0);
</script>`;

async function open(more = ""): Promise<Stage> {
  const url = await serve({ "/": PAGE });
  const on = stage();
  const response = await on.run(`<type>start</type><url>${url}/</url>${more}`);
  expect(response).toMatchObject({ success: true });
  expect(response.screenshots).toBeUndefined();
  return on;
}

type Image = { type: string; source: { data: string } } | undefined;
const bytes = (image: Image): Buffer => Buffer.from(image?.source.data ?? "", "base64");
const decode = (image: Image): { width: number; height: number } =>
  jpeg.decode(bytes(image), { maxMemoryUsageInMB: 1_000 });

/** The luminance table's first entry shows the quality: 16 at 50, 32 at 25. */
function firstQuantum(image: Image): number | undefined {
  const data = bytes(image);
  const at = data.indexOf(Buffer.from([0xff, 0xdb]));
  return data[at + 5];
}

describe("a screenshot", () => {
  it("is a JPEG of quality 25 of what is visible, as an image block [RUN-084, RUN-087, RUN-136]", async () => {
    const { run } = await open();
    const { screenshots } = await run("<type>screenshot</type>");
    expect(screenshots?.post).toMatchObject({
      type: "image",
      source: { type: "base64", media_type: "image/jpeg" },
    });
    expect(decode(screenshots?.post)).toMatchObject({ width: 1280, height: 800 });
    expect(firstQuantum(screenshots?.post)).toBe(32);
    const better = (await run("<type>screenshot</type><quality>50</quality>")).screenshots;
    expect(firstQuantum(better?.post)).toBe(16);
    expect(bytes(better?.post).length).toBeGreaterThan(bytes(screenshots?.post).length);
  });

  it("of the whole page leaves the viewport as it was [RUN-115]", async () => {
    const { run } = await open();
    const view = "<type>evaluate</type><code>[innerWidth, innerHeight, scrollY, devicePixelRatio]</code>";
    await run("<type>scroll</type><amount>300</amount>");
    const before = (await run(view)).result;
    const { screenshots } = await run(
      "<type>screenshot</type><fullPage>true</fullPage><maxBytes>2000000</maxBytes>",
    );
    expect(decode(screenshots?.post)).toMatchObject({ width: 1280, height: 2400 });
    expect((await run(view)).result).toEqual(before);
  });

  it("is made smaller until it fits, step by step, or left out [RUN-113, RUN-114, RUN-116]", async () => {
    const { run } = await open();
    const fitting = await run("<type>screenshot</type><maxBytes>20000</maxBytes>");
    expect(bytes(fitting.screenshots?.post).length).toBeLessThanOrEqual(20_000);
    const { width, height } = decode(fitting.screenshots?.post);
    expect(width).toBeLessThan(1_280);
    expect(width / height).toBeCloseTo(1.6, 1);
    expect(linesOf(fitting).filter((line) => line.includes("scaled down to")).length).toBeGreaterThan(0);
    const tooSmall = await run("<type>screenshot</type><maxBytes>1000</maxBytes><quality>100</quality>");
    expect(tooSmall).toMatchObject({ success: false, error: { code: "too_large" } });
    expect(tooSmall.screenshots).toBeUndefined();
    expect(
      linesOf(tooSmall).some((line) => line.startsWith("tool warning") && line.includes("left out")),
    ).toBe(true);
  });
});

describe("screenshots around an action", () => {
  it("are taken only on request, and before the action only when there is a page [RUN-085, RUN-086, RUN-132, RUN-133]", async () => {
    const url = await serve({ "/": PAGE });
    const { run } = stage();
    const started = await run(`<type>start</type><url>${url}/</url><screenshots>both</screenshots>`);
    expect(Object.keys(started.screenshots ?? {})).toEqual(["post"]);
    for (const xml of [
      `<type>navigate</type><url>${url}/</url>`,
      "<type>scroll</type>",
      "<type>click</type><targets>Turn</targets>",
    ])
      expect((await run(xml)).screenshots).toBeUndefined();
    await run(`<type>navigate</type><url>${url}/</url>`);
    const both = await run("<type>click</type><targets>Turn</targets><screenshots>both</screenshots>");
    expect(Object.keys(both.screenshots ?? {})).toEqual(["pre", "post"]);
    expect(both.screenshots?.pre?.source.data).not.toBe(both.screenshots?.post?.source.data);
    const after = await run("<type>scroll</type><screenshots>after</screenshots>");
    expect(Object.keys(after.screenshots ?? {})).toEqual(["post"]);
  });

  it("that fail are logged, and the action runs all the same [RUN-134, RUN-135]", async () => {
    const { run } = await open("<timeoutMs>6000</timeoutMs>");
    await run(
      "<type>evaluate</type><code>setTimeout(() => { const end = 0; while (end === 0); }, 100); 1</code>",
    );
    // An instruction could itself wait until the page is free again.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const busy = await run("<type>wait</type><ms>10</ms><screenshots>both</screenshots>");
    expect(busy.success).toBe(true);
    expect(Object.keys(busy.screenshots ?? {})).toEqual([]);
    const lines = linesOf(busy);
    expect(
      lines.some(
        (line) => line.startsWith("tool warning") && line.includes("screenshot before the action failed"),
      ),
    ).toBe(true);
    expect(
      lines.some(
        (line) => line.startsWith("tool error") && line.includes("screenshot after the action failed"),
      ),
    ).toBe(true);
  });
});

describe("in debug mode", () => {
  it("each screenshot is saved in the folder of its project and session, with its time, settings and metrics [RUN-106…108]", async () => {
    const on = await open("<debug>true</debug>");
    await on.run("<type>screenshot</type><quality>30</quality>");
    const [project] = readdirSync(join(on.home, "projects"));
    const folder = join(on.home, "projects", project as string, "screenshots/s");
    const names = readdirSync(folder).sort();
    expect(names).toHaveLength(2);
    expect(names.every((name) => name.startsWith(new Date().toISOString().slice(0, 10)))).toBe(true);
    const [picture, metadata] = [
      names.find((name) => name.endsWith(".jpg")),
      names.find((name) => name.endsWith(".metadata.json")),
    ];
    expect(readFileSync(join(folder, picture as string)).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    expect(JSON.parse(readFileSync(join(folder, metadata as string), "utf8"))).toMatchObject({
      action: "screenshot",
      settings: { quality: 30, fullPage: false, width: 1280 },
      metrics: { ttfb: expect.any(Number), actions: 1 },
    });
  });

  it("only: otherwise nothing is written [RUN-109]", async () => {
    const on = await open();
    await on.run("<type>screenshot</type>");
    const [project] = readdirSync(join(on.home, "projects"));
    expect(existsSync(join(on.home, "projects", project as string, "screenshots"))).toBe(false);
  });
});
