import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { linesOf, serve, stage } from "./stage.js";

const PAGE = `<!doctype html><title>Collected</title><h1>Collected</h1>
<script>console.info("an info"); console.warn("a warning"); console.error("an error", { code: 7 }); console.debug("a detail");</script>
<button id="load" onclick="fetch('/data?token=s3cretvalue1234567890').then((r) => r.json()).then((d) => console.log('got', d.n))">Load</button>
<button id="late" onclick="setTimeout(() => console.log('came between'), 250)">Later</button>`;

async function open() {
  const url = await serve({
    "/": PAGE,
    "/data": (_, response) => response.setHeader("content-type", "application/json").end('{"n": 3}'),
    "/slow": (_, response) =>
      void setTimeout(() => response.setHeader("content-type", "text/html").end(PAGE), 300),
  });
  const on = stage();
  const started = await on.run(`<type>start</type><url>${url}/</url>`);
  return { ...on, url, started };
}

describe("the report of an action", () => {
  it("has the console of the first document from its first line on, each entry once [RUN-011, RUN-060, RUN-118, RUN-121]", async () => {
    const { started } = await open();
    const lines = linesOf(started).filter((line) => line.startsWith("browser"));
    expect(lines).toEqual([
      "browser info console: an info",
      "browser warning console: a warning",
      'browser error console: an error {"code":7}',
      "browser debug console: a detail",
    ]);
    expect(started.logs.every(({ severity }) => severity !== undefined)).toBe(true);
  });

  it("has requests with their answers, and the secrets in them masked [RUN-012]", async () => {
    const { run } = await open();
    const response = await run("<type>click</type><targets>Load</targets>");
    const requests = response.networkEvents.filter(({ url }) => !url.endsWith("/favicon.ico"));
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      method: "GET",
      status: 200,
      resourceType: "fetch",
      durationMs: expect.any(Number),
    });
    expect(JSON.stringify(response)).not.toContain("s3cretvalue");
    expect(linesOf(response)).toEqual(["browser info console: got 3"]);
    expect(response.receipt).toMatchObject({ requests: [{ status: 200 }] });
  });

  it("starts again with each action, and misses nothing that happens between two [RUN-123]", async () => {
    const { run } = await open();
    // On a busy machine the click itself may last until the line comes.
    const lines = linesOf(await run("<type>click</type><targets>Later</targets>"));
    if (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 400));
    await until(async () => {
      lines.push(...linesOf(await run("<type>wait</type><ms>1</ms>")));
      return lines.length > 0;
    });
    expect(lines).toEqual(["browser info console: came between"]);
    expect(linesOf(await run("<type>wait</type><ms>1</ms>"))).toEqual([]);
  });

  it("can be narrowed [RUN-120]", async () => {
    const { run, url } = await open();
    const filtered = await run(
      `<type>navigate</type><url>${url}/</url><logFilter>{"types": ["error", "warning"], "categories": ["console"]}</logFilter>`,
    );
    expect(linesOf(filtered)).toEqual([
      "browser warning console: a warning",
      'browser error console: an error {"code":7}',
    ]);
  });

  it("has the times of the page, its memory and the session's duration [RUN-050, RUN-051]", async () => {
    const { started, run } = await open();
    const {
      ttfb = 0,
      fcp = 0,
      lcp = 0,
      domContentLoaded = 0,
      memoryUsage = 0,
      sessionDuration,
    } = started.metrics ?? { sessionDuration: 0 };
    expect(ttfb).toBeGreaterThan(0);
    expect(fcp).toBeGreaterThanOrEqual(ttfb);
    expect(lcp).toBeGreaterThanOrEqual(fcp);
    expect(domContentLoaded).toBeGreaterThanOrEqual(ttfb);
    expect(memoryUsage).toBeGreaterThan(100_000);
    const later = (await run("<type>wait</type><ms>50</ms>")).metrics;
    expect(later?.sessionDuration).toBeGreaterThanOrEqual(sessionDuration + 50);
    expect(later?.ttfb).toBe(ttfb);
  });

  it("stays small and on time, however much a page logs", async () => {
    const { run } = await open();
    const flood = "for (let i = 0; i &lt; 30000; i++) console.log('line', i, 'x'.repeat(200)); 'done'";
    const response = await run(`<type>evaluate</type><code>${flood}</code>`);
    expect(response).toMatchObject({ success: true, result: { value: "done" } });
    expect(JSON.stringify(response).length).toBeLessThan(3_000_000);
    expect(linesOf(response).join("\n")).toMatch(/dropped|left out/);
    expect(await run("<type>click</type><targets>Load</targets>")).toMatchObject({ success: true });
  });

  it("writes to the logs and nowhere else [RUN-122]", async () => {
    const written: unknown[] = [];
    const [out, err] = [process.stdout.write, process.stderr.write];
    process.stdout.write = (text: unknown) => written.push(text) > 0;
    process.stderr.write = (text: unknown) => written.push(text) > 0;
    try {
      const { run } = await open();
      await run("<type>click</type><targets>Nothing like this</targets>");
    } finally {
      process.stdout.write = out;
      process.stderr.write = err;
    }
    expect(written).toEqual([]);
  });

  it("comes from a real page only: console, errors, timings and requests also work alone [RUN-129, RUN-130]", async () => {
    const { run } = await open();
    const only = async (code: string) => {
      const { logs, networkEvents, metrics } = await run(`<type>evaluate</type><code>${code}</code>`);
      return {
        logs: logs.filter(({ source }) => source === "browser").length,
        requests: networkEvents.filter(({ url }) => !url.endsWith("/favicon.ico")).length,
        errors: metrics?.jsErrors,
      };
    };
    expect(await only("console.log('alone'); 1")).toEqual({ logs: 1, requests: 0, errors: 0 });
    expect(await only("setTimeout(() => { throw new Error('alone') }); 1")).toEqual({
      logs: 1,
      requests: 0,
      errors: 1,
    });
    expect(await only("fetch('/data').then((r) => r.status)")).toEqual({ logs: 0, requests: 1, errors: 0 });
    expect(await only("1")).toEqual({ logs: 0, requests: 0, errors: 0 });
  });
});

describe("an action that takes time", () => {
  it("reports a loading entry while it runs, without the secrets of the URL [RUN-100, RUN-101]", async () => {
    const { run, url, received } = await open();
    received.length = 0;
    let isOver = false;
    const secret = "token=s3cretvalue1234567890";
    const answer = run(`<type>navigate</type><url>${url}/slow?${secret}</url>`).finally(
      () => (isOver = true),
    );
    await until(() => received.length > 0);
    expect(isOver).toBe(false);
    expect(received).toMatchObject([{ type: "info", source: "tool", category: "loading" }]);
    const { success, logs } = await answer;
    expect(success).toBe(true);
    expect(logs[0]).toMatchObject({ category: "loading", message: expect.stringContaining(`${url}/slow`) });
    expect(JSON.stringify(logs)).not.toContain("s3cretvalue");
  });
});

describe("diagnose", () => {
  it("reports what is wrong with a page and what to do, without a start before it", async () => {
    const url = await serve({
      "/": `<title>Broken</title><div id="root"></div><img src="/logo.png"><script src="/app.js"></script>`,
      "/app.js": "renderApp();",
    });
    const { run } = stage();
    const response = await run(`<type>diagnose</type><url>${url}/</url>`);
    expect(response.success).toBe(true);
    const { healthy, findings, checked } = response.result as {
      healthy: boolean;
      findings: { category: string; what: string; hint: string }[];
      checked: string[];
    };
    expect(healthy).toBe(false);
    expect(checked).toHaveLength(7);
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          category: "javascript",
          what: expect.stringContaining("renderApp is not defined"),
          hint: expect.stringContaining('"renderApp"'),
        }),
        expect.objectContaining({
          category: "resource",
          what: expect.stringContaining("/logo.png answered 404"),
        }),
        expect.objectContaining({
          category: "content",
          what: expect.stringContaining("no element that can be used"),
        }),
      ]),
    );
    // It looks at the page, not at the last action: what was reported already is found again.
    const again = (await run("<type>diagnose</type>")).result as { findings: unknown[] };
    expect(again.findings.length).toBe(findings.length);
    expect(
      ((await run("<type>diagnose</type><steps>1</steps>")).result as { checked: string[] }).checked,
    ).toEqual(["the document"]);
  });

  it("finds nothing when nothing is wrong, and reports what keeps a page from loading", async () => {
    const url = await serve({ "/": "<title>Fine</title><button>Go</button>" });
    const { run } = stage();
    expect((await run(`<type>diagnose</type><url>${url}/</url>`)).result).toMatchObject({
      healthy: true,
      findings: [],
    });
    const refused = await run("<type>diagnose</type><url>http://no-such-host.invalid/</url>");
    expect(refused.result).toMatchObject({
      healthy: false,
      findings: [{ category: "network", hint: expect.stringContaining("DNS") }],
    });
  });
});
