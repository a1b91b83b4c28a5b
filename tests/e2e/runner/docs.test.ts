import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StreamSplitter } from "@debug-bridge/runner";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI, ROOT, start, temporaryFolder } from "../../fixtures.js";
import { gone, serve, stage } from "./stage.js";

const PAGE = `<!doctype html><title>Shop</title><h1>Shop</h1>
<label>E-mail <input id="mail"></label><button id="login" onclick="out.textContent = 'Welcome'">Sign in</button>
<button>Does nothing</button><a href="#help">Help</a><p id="out"></p>`;
const FENCE = /^```(xml|sh|js)( fails)?\n(.*?)^```$/gms;
const EXAMPLE_URL = "http://localhost:3000";

const examples = ["docs/browser-action.md", "packages/runner/README.md"].flatMap((page) => {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(FENCE)].map(({ index, 1: kind, 2: fails, 3: body = "" }) => ({
    place: `${page}:${text.slice(0, index).split("\n").length}`,
    kind,
    fails: fails !== undefined,
    body,
  }));
});

describe("the examples of browser_action in the documentation", () => {
  it("in XML work as written, one after the other, and fail when marked so", async () => {
    const url = await serve({ "/": PAGE });
    const { run } = stage();
    const ran = examples.filter(({ kind }) => kind === "xml");
    expect(ran.length).toBeGreaterThan(10);
    for (const { place, fails, body } of ran) {
      for (const xml of new StreamSplitter().push(body.replaceAll(EXAMPLE_URL, url))) {
        const { success, error } = await run(fails ? xml.replaceAll(url, EXAMPLE_URL) : xml);
        expect(success, `${place}: ${error?.message}`).toBe(!fails);
      }
    }
  });

  it.each(examples.filter(({ kind }) => kind !== "xml"))("at $place runs", async ({ kind, body }) => {
    const url = await serve({ "/": PAGE });
    const home = temporaryFolder();
    onTestFinished(() => gone(home).then(() => {}));
    const code = body
      .replaceAll(EXAMPLE_URL, url)
      .replaceAll("debug-bridge browser", `"${process.execPath}" "${CLI}" browser`);
    const env = { DEBUG_BRIDGE_HOME: home, TMPDIR: home };
    const {
      code: exit,
      stdout,
      stderr,
    } = kind === "sh"
      ? await start("sh", ["-c", code], env).finished
      : await start(process.execPath, ["--input-type=module", "-e", code], env).finished;
    expect(exit, stderr).toBe(0);
    expect(stdout).not.toBe("");
    if (kind === "sh") {
      for (const line of stdout.trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ success: true });
    }
  });
});
