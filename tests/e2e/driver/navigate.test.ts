import { afterAll, beforeAll, expect, test } from "vitest";
import { DriverStage, failure, itemsOf } from "./stage.js";

const stage = new DriverStage();
beforeAll(() => stage.start());
afterAll(() => stage.stop());

test("navigate answers when the page is loaded, with its requests", async () => {
  stage.answers.set("/style.css", { type: "text/css", body: "" });
  const { page } = await stage.blank();
  stage.answers.set("/first", `<title>First</title><link rel="stylesheet" href="/style.css"><h1>First</h1>`);
  const { receipt } = await page.run({ type: "navigate", url: stage.url("/first") });
  expect(receipt).toMatchObject({
    settled: true,
    navigation: { from: "about:blank", to: stage.url("/first") },
  });
  expect(receipt?.requests?.map(({ url, status }) => [new URL(url).pathname, status])).toEqual(
    expect.arrayContaining([
      ["/first", 200],
      ["/style.css", 200],
    ]),
  );
});

test("a click that leaves the page is followed to the next one", async () => {
  stage.answers.set("/next", "<title>Next</title><button>There</button>");
  const driven = await stage.open(`<a href="/next">Go</a>`);
  const { page } = driven;
  const from = page.url;
  const { receipt } = await page.run({ type: "click", target: { text: "Go" } });
  expect(receipt).toMatchObject({ settled: true, navigation: { from, to: stage.url("/next") } });
  expect((await itemsOf(driven)).map(({ text }) => text)).toEqual(["There"]);
});

test("a form that is sent is followed, and its password appears in no record", async () => {
  stage.answers.set("/login?user=ann&password=hunter22", "welcome");
  const { page, records } = await stage.open(
    `<form action="/login"><input name="user"><input name="password" type="password"><button>Sign in</button></form>`,
  );
  await page.run({ type: "type", target: { selector: "[name=user]" }, text: "ann" });
  await page.run({ type: "type", target: { selector: "[name=password]" }, text: "hunter22" });
  const { receipt } = await page.run({ type: "click", target: { text: "Sign in" } });
  expect(receipt?.settled).toBe(true);
  expect(JSON.stringify([receipt, records])).not.toContain("hunter22");
});

test("navigating to an unreachable page fails with the reason", async () => {
  const { page } = await stage.blank();
  const closed = await failure(page.run({ type: "navigate", url: "http://127.0.0.1:9/" }));
  expect(closed.code).toBe("navigation_failed");
  expect(closed.message).toContain("net::ERR_");
  stage.answers.set("/never", "hang");
  const late = await failure(page.run({ type: "navigate", url: stage.url("/never"), timeoutMs: 300 }));
  expect(late.code).toBe("timeout");
  for (const url of ["chrome://settings", "javascript:alert(1)", "nonsense"])
    expect((await failure(page.run({ type: "navigate", url }))).code).toBe("navigation_failed");
});

test("a download leaves the page unchanged, and the action reports it in time", async () => {
  stage.answers.set("/file.bin", {
    type: "application/octet-stream",
    headers: { "content-disposition": "attachment" },
    body: "x",
  });
  const { page } = await stage.open(`<a href="/file.bin">Get</a><button>Stay</button>`);
  const { receipt } = await page.run({ type: "click", target: { text: "Get" } });
  expect(receipt?.navigation).toBeUndefined();
  await page.run({ type: "click", target: { text: "Stay" } });
});

test("waiting continues in the next document", async () => {
  stage.answers.set(
    "/late",
    `<script>setTimeout(() => document.body.innerHTML = "<button>Done</button>", 50)</script>`,
  );
  const { page } = await stage.open(`<script>setTimeout(() => location.href = "/late", 50)</script>`);
  await page.run({ type: "wait_for", text: "Done", maxMs: 5_000 });
});

test("a crashed page is reported, and can be loaded again", async () => {
  const driven = await stage.open("<button>Here</button>");
  const { page, cdp } = driven;
  void cdp.send("Page.crash").catch(() => {});
  const error = await failure(page.run({ type: "wait_for", text: "never", maxMs: 5_000 }));
  expect(error.code).toBe("outcome_unknown");
  stage.answers.set("/again", "<button>Back</button>");
  await page.run({ type: "navigate", url: stage.url("/again") });
  expect((await itemsOf(driven)).map(({ text }) => text)).toEqual(["Back"]);
});

test("waitUntil decides when a navigation counts as done", async () => {
  const { page } = await stage.blank();
  stage.answers.set("/slow-image", "hang");
  stage.answers.set("/waits", `<p>there</p><img src="/slow-image">`);
  const waits = (waitUntil: "commit" | "domcontentloaded" | "load" | "networkidle0", timeoutMs: number) =>
    page.run({ type: "navigate", url: stage.url("/waits"), waitUntil, timeoutMs });
  for (const early of ["commit", "domcontentloaded"] as const) {
    const { receipt } = await waits(early, 20_000);
    expect(receipt?.settled).toBe(false);
    expect(page.url).toBe(stage.url("/waits"));
  }
  for (const late of ["load", "networkidle0"] as const) {
    const error = await failure(waits(late, 3_000));
    expect(error.code).toBe("timeout");
    expect(error.message).toContain(`did not reach "${late}"`);
  }
});

test("waitUntil load and networkidle end once the page is loaded and idle", async () => {
  const { page } = await stage.blank();
  stage.answers.set("/idle", "<p>there</p>");
  stage.answers.set("/favicon.ico", { status: 204 });
  for (const waitUntil of ["load", "networkidle0", "networkidle2", "settled"] as const) {
    const outcome = await page.run({ type: "navigate", url: stage.url("/idle"), waitUntil });
    expect(outcome.receipt?.settled, waitUntil).toBe(waitUntil === "settled");
    const state = await page.run({ type: "evaluate", code: "document.readyState" });
    expect(state.value, waitUntil).toBe("complete");
  }
});
