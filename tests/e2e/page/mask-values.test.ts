import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser, type EnginePage } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

async function logged(page: EnginePage, text: string): Promise<string> {
  await page.page.evaluate((line) => console.log(line), text);
  const lines = await page.messages("console");
  return lines.at(-1)?.args[0] ?? "";
}

describe("passwords that were typed", () => {
  test("[ARC-072] stay hidden when their field is gone and collected", async () => {
    const page = await browser.open(`<form id="f"><input id="p" type="password"></form>`);
    await page.page.fill("#p", "gone password");
    await page.page.evaluate(() => document.getElementById("f")?.remove());
    const cdp = await page.page.context().newCDPSession(page.page);
    for (let i = 0; i < 5; i++) {
      await cdp.send("HeapProfiler.collectGarbage");
      await page.page.waitForTimeout(50);
    }
    expect(await logged(page, "sent gone password")).toBe("sent •••");
  });

  test("[ARC-072] [ARC-073] are not forgotten for what is typed elsewhere; beginnings of a word are no secrets", async () => {
    const page = await browser.open(
      `<input id="p" type="password"><textarea id="t" data-bridge-mask></textarea><select id="s" data-bridge-mask><option>card</option><option>cash</option></select>`,
    );
    await page.page.fill("#p", "first password");
    await page.page.fill("#p", "second password");
    await page.page.locator("#t").pressSequentially("http://private.test/abcdefghijkl");
    expect(await logged(page, "first password")).toBe("•••");
    await page.page.keyboard.press("Tab");
    await page.page.selectOption("#s", "cash");
    expect(await logged(page, "see http://open.test, pay cash")).toBe("see http://open.test, pay cash");
    expect(await logged(page, "see http://private.test/abcdefghijkl")).toBe("see •••");
    expect(await logged(page, "first password second password")).toBe("••• •••");
  });

  test("[ARC-072] are found in every encoding", async () => {
    const page = await browser.open(`<input id="p" type="password">`, { captureBodies: true });
    await page.page.route("http://app.test/api/**", (route) => route.fulfill({ json: {} }));
    await page.page.fill("#p", "hun!t'r (2)~*");
    await page.page.evaluate(async () => {
      const { value } = document.getElementById("p") as HTMLInputElement;
      const form = new URLSearchParams({ k: value });
      console.log(String(form), JSON.stringify({ a: JSON.stringify({ b: value }) }));
      await fetch(`/api/a?${form}`, { method: "POST", body: form });
      history.pushState({}, "", `/next?q=${value}`);
    });
    const sent = JSON.stringify(await page.allMessages());
    expect(sent).not.toMatch(/hun(?:!|%21)t/);
    expect(sent.match(/•••/g)?.length).toBeGreaterThan(4);
  });

  test("[ARC-072] a prefilled one is known before its first log, in shadow roots too", async () => {
    const page = await browser.open(
      `<input type="password" id="p" value="light prefilled"><x-a id="a"></x-a><script>
        console.log("early " + p.value);
        const root = a.attachShadow({ mode: "open" });
        root.innerHTML = '<input type="password" value="shadow prefilled">';
        console.log("early " + root.firstChild.value);</script>`,
    );
    expect((await page.messages("console")).map(({ args }) => args[0])).toEqual(["early •••", "early •••"]);
  });
});

describe("secrets by their names", () => {
  test("[ARC-072] in logs, errors, rejections and bodies", async () => {
    const page = await browser.open("", { captureBodies: true });
    await page.page.route("http://app.test/api/**", (route) => route.fulfill({ json: {} }));
    await page.page.evaluate(async () => {
      console.log("redirect to http://x/cb?access_token=URL-abc");
      console.log(
        '{"password":12345678}',
        JSON.stringify({ body: JSON.stringify({ password: "TWICE-abc" }) }),
      );
      console.log({
        pass: "KEY-abc",
        pin: "KEY-abc",
        pw: "KEY-abc",
        auth: "KEY-abc",
        user: { auth: { name: "Ada" } },
      });
      void Promise.reject(new Error("GET /a?token=REJECTION-abc failed"));
      setTimeout(() => {
        throw new Error("GET /a?pw=ERROR-abc failed");
      });
      await fetch("/api/x?pass=QUERY-abc", {
        method: "POST",
        body: `${"x".repeat(16_384 - 20)}","password":"CUT-abc-abc-abc"}`,
      });
      await fetch("/api/y", { method: "POST", body: JSON.stringify({ password: 87654321, otp: 99112233 }) });
      console.log(`${"y".repeat(10_240 - 15)}"password":"CUT-abc"`);
    });
    await page.waitForMessage("error");
    await page.waitForMessage("unhandledrejection");
    const sent = JSON.stringify(await page.allMessages());
    expect(sent).not.toMatch(/-abc|12345678|87654321|99112233|CUT/);
    expect(sent).toContain("Ada");
  });

  test("[ARC-072] a known value is hidden before a text is cut", async () => {
    const page = await browser.open(`<input id="p" type="password">`);
    await page.page.fill("#p", "correct horse");
    expect(await logged(page, `${"y".repeat(10_235)}correct horse and more`)).toMatch(/^y+•••/);
  });

  test("[ARC-072] in the address that a form sent by GET leads to", async () => {
    const page = await browser.open(
      `<form action="/next"><input type="password" name="pw"><button>Go</button></form>`,
    );
    await page.page.fill("input", "hunter22");
    await page.page.click("button");
    await page.page.waitForURL("**/next?pw=*");
    await page.announce();
    const sent = JSON.stringify([
      await page.allMessages(),
      await page.run({ type: "request_ui_tree", format: "text" }),
    ]);
    expect(sent).not.toContain("hunter22");
    expect(sent).toContain("/next?pw=•••");
  });

  test("[ARC-073] names that the app adds are masked in URLs, bodies, logs, navigation, links and attributes", async () => {
    const page = await browser.open(
      `<a href="/x?iban=LINK-abc" data-iban="DATA-abc">L</a><p id="t">see /t?iban=TEXT-abc</p>`,
      { captureBodies: true, redact: ["iban"] },
      `globalThis.engineOptions = { getCustomState: () => ({ route: "/r?iban=STATE-abc" }) };`,
    );
    await page.page.route("http://app.test/api/**", (route) =>
      route.fulfill({ json: { iban: "ANSWER-abc" } }),
    );
    await page.announce();
    await page.page.evaluate(async () => {
      console.log('{"iban":"JSON-abc"}', { iban: "KEY-abc" });
      await fetch("/api/x?iban=QUERY-abc", { method: "POST", body: "iban=FORM-abc&x=1" });
      history.pushState({}, "", "/next?iban=NAVIGATION-abc");
      document.querySelector("a")?.setAttribute("href", "/y?iban=CHANGED-abc");
      (document.getElementById("t") as Element).textContent = "see /t?iban=TEXT2-abc";
    });
    await page.waitForMessage("dom_mutations");
    await page.waitForMessage("network", ({ phase }) => phase === "message");
    const sent = JSON.stringify([await page.allMessages(), await page.tree(), await page.text()]);
    expect(sent).not.toMatch(/-abc/);
  });
});
