import { connect } from "@debug-bridge/client";
import type { SessionSummary } from "@debug-bridge/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { Stage } from "./stage.js";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start();
  await stage.person.open(stage.site.url("/?two"));
});
afterAll(() => stage?.close());

async function tabs(): Promise<SessionSummary[]> {
  const response = await fetch(`${stage.hub.url}/v1/sessions`, {
    headers: { authorization: `Bearer ${stage.hub.token}` },
  });
  const { sessions } = (await response.json()) as { sessions: SessionSummary[] };
  return sessions.filter(({ kind }) => kind === "tab");
}

async function open(part: string) {
  const tab = await until(async () => (await tabs()).find(({ url }) => url?.endsWith(part)));
  return connect({ hub: stage.hub.url, sessionId: tab.id, token: stage.hub.token });
}

it("knows the tab in front, and follows the person to another one", async () => {
  for (const part of ["/?two", "/", "/?two"]) {
    const tab = await until(async () => (await tabs()).find(({ url }) => url?.endsWith(part)));
    await stage.person.inWorker(`chrome.tabs.update(${tab.id.replace("tab-", "")}, { active: true })`);
    await until(async () => (await tabs()).find(({ id }) => id === tab.id)?.active === true);
    expect((await tabs()).filter(({ active }) => active).map(({ id }) => id)).toEqual([tab.id]);
  }
});

it("lists the tabs as sessions without attaching to any, and attaches to the one that is used", async () => {
  expect((await until(async () => ((await tabs()).length >= 2 ? tabs() : undefined))).length).toBe(2);
  expect(stage.hub.relay.tabs().filter(({ attached }) => attached)).toEqual([]);
  const tab = await open("/?two");
  expect((await tab.observe()).text).toContain('button "Greet"');
  expect(
    stage.hub.relay
      .tabs()
      .filter(({ attached }) => attached)
      .map(({ url }) => url),
  ).toEqual([stage.site.url("/?two")]);
  tab.close();
});

it("acts in a tab with trusted input, and the receipt lists what it caused", async () => {
  const tab = await open("/");
  const typed = await tab.act({ type: "type", target: { role: "textbox", name: "Name" }, text: "Ann" });
  expect(typed).toMatchObject({ success: true, applied: true });
  const { receipt } = await tab.act({ type: "click", target: { role: "button", name: "Greet" } });
  expect(receipt?.settled).toBe(true);
  const { value } = await tab.act({ type: "evaluate", code: "document.querySelector('#out').textContent" });
  expect(value).toBe("Hello Ann");
  const shot = await tab.act({ type: "screenshot", labels: true });
  expect(shot.value).toMatchObject({ mimeType: "image/jpeg" });
  tab.close();
});

it("attributes a line to the page that logged it, not to the extension that captured it", async () => {
  const tab = await open("/?two");
  await tab.observe();
  // From this document on the extension has been there first.
  await tab.act({ type: "navigate", url: stage.site.url("/?two") });
  const { receipt } = await tab.act({ type: "click", target: { role: "button", name: "Count" } });
  expect(receipt?.console).toEqual([{ level: "log", text: "Clicked 1" }]);
  for await (const { type, data } of tab.events(0)) {
    const { args, location } = data as { args?: string[]; location?: { url: string } };
    if (type !== "console" || args?.[0] !== "Clicked 1") continue;
    expect(location?.url).toBe(stage.site.url("/?two"));
    break;
  }
  tab.close();
});

it("records what another client does in the tab, and neither disturbs the other", async () => {
  const browser = await stage.playwright();
  const page = browser
    .contexts()[0]
    ?.pages()
    .find((each) => each.url().endsWith("/?two"));
  if (!page) throw new Error("no page");
  const tab = await open("/?two");
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { type, data } of tab.events()) {
      if (type === "console") seen.push((data as { args: string[] }).args.join(" "));
      if (seen.includes("third")) return;
    }
  })();
  await tab.observe();
  await page.evaluate(() => console.log("first"));
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.accept();
  });
  expect(await page.evaluate(() => confirm("sure?"))).toBe(true);
  await page.evaluate(() => console.log("second", { a: 1 }));
  await tab.act({ type: "evaluate", code: "console.log('third')" });
  await reading;
  expect(seen.filter((line) => !line.startsWith("sure?"))).toEqual(["first", 'second {"a":1}', "third"]);
  expect(dialogs).toEqual(["sure?"]);
  tab.close();
  await browser.close();
});

it("ends when its tab is closed, and pending commands fail", async () => {
  const id = await stage.person.open(stage.site.url("/?three"));
  const tab = await open("/?three");
  await tab.observe();
  const waiting = tab
    .act({ type: "wait_for", text: "never", maxMs: 20_000 })
    .catch((error: unknown) => error);
  const session = (await tabs()).find(({ url }) => url?.endsWith("/?three"))?.id as string;
  const reader = stage.hub.connectClient({ name: "reader" });
  await until(() => reader.records(session, 0).some(({ data }) => JSON.stringify(data).includes('"never"')));
  reader.close();
  await fetch(`${stage.person.endpoint}/json/close/${id}`);
  expect(await waiting).toMatchObject({ code: "outcome_unknown" });
  await until(async () =>
    (await tabs()).every(({ url, connected }) => !url?.endsWith("/?three") || !connected),
  );
  tab.close();
});
