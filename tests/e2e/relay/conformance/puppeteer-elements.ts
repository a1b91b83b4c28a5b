import type { PuppeteerCases } from "./case.js";

export const puppetElementCases: PuppeteerCases = {
  click: async ({ page }) => {
    await page.click("#count");
    return page.$eval("#count", (node) => node.textContent);
  },
  "click twice": async ({ page }) => {
    await page.click("#count", { count: 2 });
    return page.$eval("#count", (node) => node.textContent);
  },
  "a locator's click and fill": async ({ page }) => {
    await page.locator("#who").fill("Loc");
    await page.locator("#greet").click();
    return page.$eval("#out", (node) => node.textContent);
  },
  type: async ({ page }) => {
    await page.type("#who", "Ab1");
    return page.$eval("#who", (node) => (node as HTMLInputElement).value);
  },
  "keyboard with modifiers": async ({ page }) => {
    await page.type("#who", "abc");
    await page.keyboard.down("Shift");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.up("Shift");
    await page.keyboard.press("Backspace");
    return page.$eval("#who", (node) => (node as HTMLInputElement).value);
  },
  sendCharacter: async ({ page }) => {
    await page.focus("#who");
    await page.keyboard.sendCharacter("嗨");
    return page.$eval("#who", (node) => (node as HTMLInputElement).value);
  },
  hover: async ({ page }) => {
    await page.evaluate("count.onmouseenter = () => window.over = 1");
    await page.hover("#count");
    return page.evaluate("over");
  },
  select: ({ page }) => page.select("#colour", "g"),
  "mouse and wheel": async ({ page }) => {
    await page.evaluate(
      "window.log = []; for (const t of ['mousedown', 'mouseup', 'wheel']) addEventListener(t, (e) => log.push(e.type))",
    );
    await page.mouse.move(100, 100);
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.wheel({ deltaY: 5 });
    await page.waitForFunction("log.length === 3");
    return page.evaluate("log.join()");
  },
  touch: async ({ page }) => {
    await page.evaluate("window.touched = 0; addEventListener('touchstart', () => touched++)");
    await page.touchscreen.tap(50, 50);
    return page.evaluate("touched");
  },
  "a bounding box": async ({ page }) => {
    await page.setContent(
      `<div id=box style="position:absolute;left:10px;top:20px;width:30px;height:40px"></div>`,
    );
    return (await page.$("#box"))?.boundingBox();
  },
  "waitForSelector, visible and hidden": async ({ page }) => {
    await page.evaluate(
      "setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<b id=late>x</b>'), 30)",
    );
    await page.waitForSelector("#late", { visible: true });
    await page.evaluate("setTimeout(() => late.remove(), 30)");
    await page.waitForSelector("#late", { hidden: true });
    return page.$("#late");
  },
  "waitForSelector in vain": ({ page }) => page.waitForSelector("#nowhere", { timeout: 150 }),
  "selectors by text, aria and XPath": async ({ page }) => [
    (await page.$$("::-p-text(Second page)")).length,
    (await page.$$("::-p-aria(Greet)")).length,
    (await page.$$("::-p-xpath(//li)")).length,
  ],
  "shadow DOM": async ({ page }) => {
    await page.setContent("<div id=host></div>");
    await page.evaluate("host.attachShadow({mode: 'open'}).innerHTML = '<p>in shadow</p>'");
    return (await page.$(">>> p"))?.evaluate((node) => node.textContent);
  },
  "the accessibility tree": async ({ page }) => {
    const names: (string | undefined)[] = [];
    const walk = (node: { name?: string; children?: unknown[] } | null): void => {
      if (!node) return;
      names.push(node.name);
      for (const child of node.children ?? []) walk(child as never);
    };
    walk(await page.accessibility.snapshot());
    return names;
  },
  "clicking in a frame of another site": async ({ page, url }) => {
    await page.goto(url("/frames"));
    const far = await page.waitForFrame((frame) => frame.name() === "far");
    await (await far.waitForSelector("#press"))?.click();
    return far.$eval("#press", (node) => node.textContent);
  },
  upload: async ({ page, url }) => {
    await page.goto(url("/upload"));
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.click("#file")]);
    await chooser.accept(["package.json"]);
    await page.waitForFunction("out.textContent !== ''");
    return (await page.$eval("#out", (node) => node.textContent))?.slice(0, 20);
  },
};
