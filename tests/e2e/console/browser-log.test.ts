import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConsoleRecordData, TimelineRecord } from "@debug-bridge/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { CLI, start, until } from "../../fixtures.js";
import { hubSetting } from "../extension/extension-folder.js";
import { Stage } from "../relay/stage.js";

const home = mkdtempSync(join(tmpdir(), "debug-bridge-log-"));
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start({ home });
  await stage.person.inWorker(`chrome.storage.local.set({ hub: ${JSON.stringify(hubSetting(stage.hub))} })`);
});
afterAll(async () => {
  await stage?.close();
  rmSync(home, { recursive: true, force: true });
});

it("shows messages of the browser while the debugger is attached, and each line of the page once", async () => {
  const { output } = start(process.execPath, [CLI, "console", "--hub", stage.hub.url, "--home", home]);
  const browser = await stage.playwright();
  const page = browser.contexts()[0]?.pages()[0];
  if (!page) throw new Error("no page");
  // Wait until both reporters see the page.
  await page.reload();
  await until(async () => {
    await page.evaluate(() => console.log("warming up"));
    return output.stdout.includes("warming up");
  });
  await page.evaluate(() => {
    document.head.insertAdjacentHTML(
      "beforeend",
      `<meta http-equiv="Content-Security-Policy" content="img-src 'none'">`,
    );
    new Image().src = "/never.png";
    console.log("printed by the page");
    return fetch("/missing-thing");
  });
  await until(() => /Content Security Policy/.test(output.stdout));
  await until(() => /Failed to load resource.*404/.test(output.stdout));
  await page.evaluate(() => console.log("the last line"));
  await until(() => output.stdout.includes("the last line"));
  expect(output.stdout.split("printed by the page").length - 1).toBe(1);
  expect(output.stdout.split("the last line").length - 1).toBe(1);
});

/** Runs code in a tab as the person could, without our debugger. */
async function runInTab(target: string, code: string): Promise<void> {
  const found = (await stage.person.targets()).find(({ id }) => id === target);
  const socket = new WebSocket(found?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
  const done = new Promise((resolve) => socket.once("message", resolve));
  socket.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression: code } }));
  await done;
  socket.terminate();
}

async function api<Value>(path: string, body?: object): Promise<Value> {
  const response = await fetch(`${stage.hub.url}${path}`, {
    headers: { authorization: `Bearer ${stage.hub.token}` },
    ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
  });
  return (await response.json()) as Value;
}

it("records lines that were printed before the debugger attached once, with their own time", async () => {
  const url = stage.site.url("/?early");
  const target = await stage.person.open(url);
  type Recorded = TimelineRecord & { readonly data: ConsoleRecordData };
  const session = await until(async () => {
    const { sessions } = await api<{ sessions: { id: string; url?: string }[] }>("/v1/sessions");
    return sessions.find((each) => each.url === url)?.id;
  });
  const records = async (text: string): Promise<Recorded[]> => {
    const types = "console,error,unhandledrejection";
    const path = `/v1/sessions/${session}/events?types=${types}`;
    return (await api<{ events: Recorded[] }>(path)).events.filter(({ data }) => data.text.includes(text));
  };
  // Until the page itself is loaded, a line may be printed in the empty document before it.
  await until(async () => {
    await runInTab(target, `console.log("warming up")`);
    return (await records("warming up")).length > 0;
  });
  await runInTab(
    target,
    `console.warn("printed early"); setTimeout(() => { throw new Error("thrown early") })`,
  );
  await until(async () => (await records("thrown early")).length > 0);
  const attached = Date.now();
  await api(`/v1/sessions/${session}/commands`, { type: "request_ui_tree" });
  await runInTab(
    target,
    `console.warn("printed late"); setTimeout(() => { throw new Error("thrown late") })`,
  );
  await until(async () => (await records("thrown late")).length > 0);
  for (const text of ["printed early", "thrown early"]) {
    const found = await records(text);
    expect(found.map(({ data }) => data.source)).toEqual(["extension"]);
    expect(Date.parse(found[0]?.timestamp ?? "")).toBeLessThanOrEqual(attached);
  }
  for (const text of ["printed late", "thrown late"])
    expect((await records(text)).map(({ data }) => data.source)).toEqual(["cdp"]);
});
