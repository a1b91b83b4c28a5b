import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { stage } from "../hub/stage.js";
import { mcpClient } from "./client.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

test("an agent records a failure over MCP, lists the recording, and gets a test of it", async () => {
  const { ready, home, open } = await stage(browser, ["--demo"]);
  const project = temporaryFolder();
  const mcp = await mcpClient(["--hub", ready.hub, "--home", home], {}, project);
  const call = async (name: string, input: Record<string, unknown>): Promise<string> => {
    const { text, isError } = await mcp.call(name, { session: "demo", ...input });
    expect(isError, text).toBe(false);
    return text;
  };
  await open(ready.demo as string);
  await until(async () => !(await mcp.call("observe", { session: "demo" })).isError);

  expect(await call("record", { action: "start" })).toContain("record stop");
  await call("act", { type: "wait_for", text: "Rye bread" });
  for (const text of ["Add Rye bread", "Add Green tea", "Apply"])
    await call("act", { type: "click", target: { text } });
  await until(async () => /coupon|undefined/.test(await call("logs", { errors: true })));
  const [, id = ""] = /recorded as (\S+)/.exec(await call("record", { action: "stop" })) ?? [];
  expect(id).toMatch(/^debug_/);
  expect(await call("record", { action: "list" })).toContain(`${id} app demo`);

  const text = await call("record", { action: "reproduce" });
  // A page that has just been loaded may miss the first action: it loads the part that records.
  expect(text).toMatch(/\d of \d replays[\s\S]*1 action of [23]:\n {2}1\. click button "Apply"/);
  const spec = join(project, "reproductions", id, "reproduction.spec.mts");
  expect(existsSync(spec)).toBe(true);
  expect(readFileSync(spec, "utf8")).toContain("Apply");

  const wrong = await mcp.call("record", { action: "reproduce", recording: join(home, "audit.jsonl") });
  expect(wrong).toMatchObject({ isError: true });
  expect(wrong.text).toContain("record list shows them");
});

test("a read-only hub ends a recording at once whose page it may not load again, and reproduces nothing", async () => {
  const { ready, home, open } = await stage(browser, ["--demo", "--read-only"]);
  const mcp = await mcpClient(["--hub", ready.hub, "--home", home], {}, temporaryFolder());
  const call = (input: Record<string, unknown>) => mcp.call("record", { session: "demo", ...input });
  await open(ready.demo as string);
  await until(async () => !(await mcp.call("observe", { session: "demo" })).isError);
  expect(await call({ action: "start" })).toMatchObject({ isError: true });
  await until(async () => !(await call({ action: "list" })).text.includes("(not ended)"));
  expect(await call({ action: "start", reload: false })).toMatchObject({ isError: false });
  expect((await call({ action: "stop" })).text).toContain("recorded as debug_");
  expect(await call({ action: "reproduce" })).toMatchObject({ isError: true });
});
