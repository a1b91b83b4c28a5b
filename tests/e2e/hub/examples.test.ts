import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { createServer } from "vite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ROOT, start, until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { servePage, stage } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

/** Vite's server of an example, whose plugin puts the bridge into the page. */
async function serveExample(name: string, hub: string): Promise<string> {
  process.env.DEBUG_BRIDGE_HUB = hub;
  // Every test of this worker would look for its hub there.
  onTestFinished(() => {
    delete process.env.DEBUG_BRIDGE_HUB;
  });
  const root = join(ROOT, "examples", name);
  const server = await createServer({
    root,
    configFile: join(root, "vite.config.ts"),
    logLevel: "error",
    server: { port: 0, host: "127.0.0.1" },
    cacheDir: join(ROOT, ".cache/vite", name),
  });
  await server.listen();
  onTestFinished(() => server.close());
  return server.resolvedUrls?.local[0] as string;
}

async function runAgent(
  script: string,
  hub: string,
  session: string,
  token: string,
): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await start(
    process.execPath,
    [join(ROOT, "examples", script), hub, session],
    { DEBUG_BRIDGE_TOKEN: token },
  ).finished;
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe("the examples", () => {
  it.each([
    ["shop-react", "React"],
    ["shop-vue", "Vue"],
  ])(
    "%s: the agent finds the bug, and the password is in no frame [APP-001, APP-062, ARC-072]",
    async (name) => {
      const { ready, token, open } = await stage(browser);
      const url = await serveExample(name, ready.hub);
      const { page, sent } = await open(url);
      const report = await runAgent("shared/find-order-bug.mjs", ready.hub, name, token);
      expect(report).toEqual({
        bug: "POST /api/orders answers 422, and the shop thanks all the same",
        cartChanged: true,
        allApplied: true,
        sawProducts: true,
        log: ["order sent 422"],
      });
      expect(await page.inputValue("input[type=password]")).toBe("s3cret-of-ada");
      await page.fill("input[type=password]", "typed-by-a-person");
      await page.click("text=Gift");
      const bridged = sent.filter((frame) => frame.includes('"origin":"app"'));
      await until(() => bridged.length > 5);
      expect(sent.join("\n")).not.toContain("s3cret-of-ada");
      expect(sent.join("\n")).not.toContain("typed-by-a-person");
    },
  );

  it("plain-html: the agent finds the bug, and the password is in no frame [APP-001, ARC-072]", async () => {
    const { ready, token, open } = await stage(browser);
    const html = readFileSync(join(ROOT, "examples/plain-html/index.html"), "utf8");
    const url = await servePage(
      html.replace(/<script src="http[^>]*><\/script>/, "SDK"),
      ready.hub,
      'data-session="plain-html"',
    );
    const { sent } = await open(url);
    const report = await runAgent("plain-html/agent.mjs", ready.hub, "plain-html", token);
    expect(report).toEqual({ bug: "the counter says 2 and 1 note is left", vanished: ["Remove milk"] });
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.join("\n")).not.toContain("s3cret-of-ada");
  });
});
