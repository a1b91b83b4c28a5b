import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserResponse } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { gone, linesOf, processesAt, serve, stage } from "./stage.js";

const start = (url: string, more = ""): string => `<type>start</type><url>${url}</url>${more}`;
const OK = "<title>Fine</title><button>Go</button>";

describe("a launched browser", () => {
  it("is not left running when its profile cannot be written after the launch; the error has a hint [RUN-145]", async () => {
    const { home, run } = stage();
    // Written only when Chrome runs: a folder in its place makes that fail.
    const profile = join(home, "profile");
    mkdirSync(join(profile, "debug-bridge-runner.json"), { recursive: true });
    const failed = await run(start(await serve({ "/": OK }), `<userDataDir>${profile}</userDataDir>`));
    expect(failed).toMatchObject({
      success: false,
      error: { hint: expect.stringContaining("DEBUG_BRIDGE_HOME") },
    });
    await gone(home);
  });

  it("reports what happens in a frame of another origin, and diagnose is not content with it [RUN-146]", async () => {
    const other = await serve({
      "/": `<title>Inner</title><button>Inside</button><script>console.warn("from the frame"); fetch("/missing"); setTimeout(() => { throw new Error("frame broke") })</script>`,
    });
    const frame = other.replace("localhost", "127.0.0.1");
    const { run } = stage();
    const opened = await run(
      start(
        await serve({ "/": `<title>Outer</title><iframe src="${frame}/"></iframe>` }),
        "<waitUntil>networkidle0</waitUntil>",
      ),
    );
    expect((opened.result as { ui: string }).ui).toContain("Inside");
    const text = linesOf(opened).join("\n");
    expect(text).toContain("from the frame");
    expect(text).toContain("frame broke");
    const { result } = await run("<type>diagnose</type>");
    expect(result).toMatchObject({ healthy: false });
    expect(JSON.stringify(result)).toContain("frame broke");
    expect(JSON.stringify(result)).toContain("/missing");
  });

  it("is started again at the page that was meant when that never finished loading [RUN-147]", async () => {
    let isFixed = false;
    const url = await serve({
      "/": (_request, response) =>
        response
          .setHeader("content-type", "text/html")
          .end(isFixed ? OK : "<title>Loop</title><script>while (true) {}</script>"),
    });
    const { run } = stage();
    const stuck = await run(start(`${url}/`, "<timeoutMs>8000</timeoutMs>"));
    expect(stuck).toMatchObject({ success: false, error: { code: "timeout" } });
    expect(stuck.error?.hint).toMatch(/script/);
    expect(stuck.error?.hint).not.toContain("without a status");
    isFixed = true;
    const again = await run("<type>diagnose</type>");
    expect(again.error?.message).toBeUndefined();
    expect(again).toMatchObject({ success: true, result: { page: { url: `${url}/`, title: "Fine" } } });
  });

  it("opens http and https only, and files only if they are allowed [RUN-148]", async () => {
    const { home, run } = stage();
    for (const url of ["data:text/html,x", "about:blank", "chrome://version", "javascript:1"])
      expect(await run(start(url))).toMatchObject({
        success: false,
        error: {
          code: "invalid_message",
          message: expect.stringContaining("http://"),
          hint: expect.any(String),
        },
      });
    expect(processesAt(home)).toEqual([]);
    const file = await run(start("file:///etc/hostname"));
    expect(file).toMatchObject({
      success: false,
      error: { message: expect.stringContaining("--allow-files") },
    });
  });

  it("takes screenshots of the requested quality with any action [RUN-149]", async () => {
    const url = await serve({ "/": `<title>-</title>${"<p>Words <b>and</b> more</p>".repeat(100)}` });
    const { run } = stage();
    await run(start(url));
    const size = async (more: string): Promise<number> =>
      (await run(`<type>hover</type><selector>p</selector><screenshots>after</screenshots>${more}`))
        .screenshots?.post?.source.data.length ?? 0;
    expect(await size("<quality>90</quality>")).toBeGreaterThan(1.5 * (await size("")));
  });

  it("reports format strings as the console shows them [RUN-150]", async () => {
    const url = await serve({
      "/": `<title>-</title><script>console.log("%cbig %s has %d", "color: red", "cart", 3)</script>`,
    });
    const { run } = stage();
    expect(linesOf(await run(start(url)))).toContain("browser info console: big cart has 3");
  });

  it("has one hint for a document that is an error page [RUN-151]", async () => {
    const url = await serve({
      "/": (_request, response) => response.writeHead(500).end("<title>Oh</title><p>Broken"),
    });
    const { run } = stage();
    const lines = linesOf(await run(start(`${url}/`)));
    expect(lines.filter((line) => line.includes("Hint:"))).toHaveLength(1);
  });

  it("that another client closed by starting its own is reported as such [RUN-152]", async () => {
    const url = await serve({ "/": OK });
    const { run } = stage();
    await run(start(url), { sessionId: "ada" });
    await run(start(url), { sessionId: "bob" });
    const lost = await run("<type>click</type><targets>Go</targets>", { sessionId: "ada" });
    expect(lost).toMatchObject({ success: false, error: { code: "session_not_found" } });
    expect(lost.error?.message).toContain('"bob" started one');
    expect(await run(start(url), { sessionId: "ada" })).toMatchObject({ success: true });
  });

  it("has a hint for every error [RUN-153]", async () => {
    const url = await serve({
      "/": `<title>-</title><button>Same</button><button>Same</button><button disabled id="off">Off</button>`,
    });
    const { run } = stage({ maxConsecutiveErrors: 100, totalErrorThreshold: 100 });
    await run(start(url));
    const errors: [string, string][] = [
      ["target_not_found", "<type>click</type><targets>Nowhere</targets>"],
      ["ambiguous_target", "<type>click</type><targets>Same</targets>"],
      ["not_actionable", "<type>click</type><selector>#off</selector>"],
      ["stale_ref", "<type>click</type><ref>e999</ref>"],
      ["timeout", "<type>wait</type><text>never</text><ms>100</ms>"],
      ["evaluation_failed", "<type>evaluate</type><code>nope()</code>"],
      ["unknown_type", "<type>fly</type>"],
    ];
    for (const [code, xml] of errors) {
      const { error }: BrowserResponse = await run(xml);
      expect(error, xml).toMatchObject({ code, hint: expect.any(String) });
      expect(error?.hint).not.toContain("unknown");
    }
    const { error } = await run(start(url), { sessionId: "other", chromePath: "/nowhere/chrome" });
    expect(error?.hint).toContain("CHROME_PATH");
  });
});
