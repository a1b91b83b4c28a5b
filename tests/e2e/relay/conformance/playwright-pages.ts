import type { PlaywrightCases } from "./case.js";

export const pageCases: PlaywrightCases = {
  "goto and its response": async ({ page, url }) => {
    const response = await page.goto(url("/second"));
    return [response?.status(), response?.ok(), await page.title(), (await response?.text())?.length];
  },
  "goto a page that is not there": async ({ page, url }) => (await page.goto(url("/none")))?.status(),
  "goto where nobody listens": ({ page }) => page.goto("http://127.0.0.1:1/"),
  "goto a redirect": async ({ page, url }) => {
    const response = await page.goto(url("/redirect"));
    return [
      response?.url() === url("/second"),
      response?.request().redirectedFrom()?.url() === url("/redirect"),
    ];
  },
  "goto until DOMContentLoaded, commit and network idle": async ({ page, url }) => {
    await page.goto(url("/slow-page"), { waitUntil: "domcontentloaded" });
    await page.goto(url("/second"), { waitUntil: "commit" });
    await page.goto(url("/"), { waitUntil: "networkidle" });
    return page.title();
  },
  "goto with a limit": ({ page, url }) => page.goto(url("/slow-page"), { timeout: 100 }),
  "goto a fragment": async ({ page, url }) => {
    await page.goto(url("/second"));
    const response = await page.goto(`${url("/second")}#part`);
    return [response, new URL(page.url()).hash];
  },
  "about:blank": async ({ page }) => {
    await page.goto("about:blank");
    return [page.url(), await page.title()];
  },
  "back and forward": async ({ page, url }) => {
    await page.goto(url("/second"));
    await page.goto(url("/dialogs"));
    await page.goBack();
    const back = await page.title();
    await page.goForward();
    return [back, await page.title()];
  },
  reload: async ({ page }) => {
    await page.evaluate("window.kept = 1");
    await page.reload();
    return page.evaluate("window.kept");
  },
  "a click that navigates": async ({ page }) => {
    await page.click("text=Second page");
    await page.waitForURL("**/second");
    return page.textContent("h1");
  },
  "history.pushState": async ({ page }) => {
    await page.evaluate("history.pushState({}, '', '/pushed')");
    return new URL(page.url()).pathname;
  },
  "setContent and content": async ({ page }) => {
    await page.setContent("<p>new</p>");
    return page.content();
  },
  "another site and back": async ({ page, url }) => {
    await page.goto(url("/second", "localhost"));
    const there = await page.evaluate("location.hostname");
    await page.goto(url("/"));
    return [there, await page.evaluate("location.hostname")];
  },
  "events of a navigation, in order": async ({ page, url }) => {
    const seen: string[] = [];
    page.on("framenavigated", () => seen.push("navigated"));
    page.on("domcontentloaded", () => seen.push("dom"));
    page.on("load", () => seen.push("load"));
    await page.goto(url("/second"));
    return seen;
  },
  "an init script": async ({ page, url }) => {
    await page.addInitScript("window.injected = document.readyState");
    await page.goto(url("/second"));
    return page.evaluate("injected");
  },
  "a new page": async ({ context, url }) => {
    const page = await context.newPage();
    await page.goto(url("/second"));
    const title = await page.title();
    await page.close();
    return [title, page.isClosed()];
  },
  "a popup by a link": async ({ page }) => {
    const [popup] = await Promise.all([page.waitForEvent("popup"), page.click("text=Open popup")]);
    await popup.waitForLoadState();
    const result = [await popup.title(), (await popup.opener()) === page];
    await popup.close();
    return result;
  },
  "a popup by window.open": async ({ page }) => {
    const [popup] = await Promise.all([
      page.waitForEvent("popup"),
      page.evaluate("window.opened = window.open('/second'); 0"),
    ]);
    await popup.waitForLoadState();
    const title = await popup.title();
    await popup.close();
    await page.waitForFunction("opened.closed");
    return title;
  },
  "two popups": async ({ page, context }) => {
    const before = context.pages().length;
    for (const path of ["/second", "/popup"]) {
      const [popup] = await Promise.all([
        page.waitForEvent("popup"),
        page.evaluate((to) => void window.open(to), path),
      ]);
      await popup.waitForLoadState();
    }
    const titles = await Promise.all(
      context
        .pages()
        .slice(before)
        .map((each) => each.title()),
    );
    for (const each of context.pages().slice(before)) await each.close();
    return titles;
  },
  "frames, near and far": async ({ page, url }) => {
    await page.goto(url("/frames"));
    const texts = [];
    for (const name of ["near", "far"])
      texts.push(await page.frame({ name })?.locator("#text").textContent());
    return [page.frames().length, texts];
  },
  "frames inside frames of other sites": async ({ page, url }) => {
    await page.goto(url("/nested"));
    const deep = page.frameLocator("iframe").frameLocator("iframe");
    await deep.locator("#press").click();
    return deep.locator("#press").textContent();
  },
  "typing into a frame of another site": async ({ page, url }) => {
    await page.goto(url("/frames"));
    const field = page.frameLocator("iframe[name=far]").locator("#field");
    await field.fill("there");
    await field.press("End");
    await field.pressSequentially("!");
    return field.inputValue();
  },
  "a frame that comes and goes": async ({ page, url }) => {
    await page.goto(url("/blank"));
    await page.evaluate(
      (src) => {
        const frame = document.createElement("iframe");
        frame.src = src;
        document.body.append(frame);
      },
      url("/inner", "localhost"),
    );
    await page.frameLocator("iframe").locator("#text").waitFor();
    const before = page.frames().length;
    await page.evaluate("document.querySelector('iframe').remove()");
    await page.waitForFunction("!document.querySelector('iframe')");
    return [before, page.frames().length];
  },
  "a frame that moves to another site": async ({ page, url }) => {
    await page.goto(url("/frames"));
    const near = page.frame({ name: "near" });
    await near?.goto(url("/inner", "localhost"));
    return near?.locator("#host").textContent();
  },
  "the parents of frames": async ({ page, url }) => {
    await page.goto(url("/frames"));
    return page.frames().map((frame) => [frame.name(), frame.parentFrame()?.name()]);
  },
  "a worker": async ({ page, url }) => {
    const [worker] = await Promise.all([page.waitForEvent("worker"), page.goto(url("/workers"))]);
    return [await worker.evaluate("self.answer"), new URL(worker.url()).pathname];
  },
  "a worker that ends": async ({ page, url }) => {
    const [worker] = await Promise.all([page.waitForEvent("worker"), page.goto(url("/workers"))]);
    const closed = new Promise((resolve) => worker.once("close", () => resolve("closed")));
    await page.evaluate("w.terminate()");
    return closed;
  },
};
