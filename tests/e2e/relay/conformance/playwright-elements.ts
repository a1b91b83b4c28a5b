import type { PlaywrightCases } from "./case.js";

export const elementCases: PlaywrightCases = {
  "by role": ({ page }) => page.getByRole("button", { name: "Greet" }).textContent(),
  "by label": async ({ page }) => {
    await page.getByLabel("Name").fill("x");
    return page.getByLabel("Name").inputValue();
  },
  "by placeholder": ({ page }) => page.getByPlaceholder("Your name").getAttribute("id"),
  "by text": ({ page }) => page.getByText("Second page").getAttribute("href"),
  "by CSS, nth and filter": async ({ page }) => [
    await page.locator("li").nth(1).textContent(),
    await page.locator("li").filter({ hasText: "Three" }).count(),
    await page.locator("li").last().textContent(),
  ],
  "by XPath": ({ page }) => page.locator("//ul/li[1]").textContent(),
  "that are missing, within a limit": ({ page }) => page.locator("#nowhere").click({ timeout: 150 }),
  "that are two where one is meant": ({ page }) => page.locator("li").click({ timeout: 20_000 }),
  click: async ({ page }) => {
    await page.click("#count");
    return page.textContent("#count");
  },
  "double click": async ({ page }) => {
    await page.dblclick("#count");
    return page.textContent("#count");
  },
  "click at a place": async ({ page }) => {
    await page.evaluate("document.onclick = (e) => window.at = e.target.id");
    await page.click("#count", { position: { x: 3, y: 3 } });
    return page.evaluate("at");
  },
  "right click": async ({ page }) => {
    await page.evaluate("document.oncontextmenu = (e) => { window.button = e.button; e.preventDefault() }");
    await page.click("#count", { button: "right" });
    return page.evaluate("button");
  },
  hover: async ({ page }) => {
    await page.evaluate("document.querySelector('#count').onmouseenter = () => window.over = true");
    await page.hover("#count");
    return page.evaluate("over");
  },
  "fill and clear": async ({ page }) => {
    await page.fill("#who", "Ann");
    await page.locator("#who").clear();
    return page.inputValue("#who");
  },
  "type key by key": async ({ page }) => {
    await page.evaluate("window.keys = []; who.onkeydown = (e) => keys.push(e.key)");
    await page.locator("#who").pressSequentially("Ab1");
    return page.evaluate("[who.value, keys.join()]");
  },
  "press with modifiers": async ({ page }) => {
    await page.fill("#who", "abc");
    await page.press("#who", "Control+A");
    await page.press("#who", "Delete");
    return page.inputValue("#who");
  },
  "submit with Enter": async ({ page }) => {
    await page.fill("#who", "Eve");
    await page.press("#who", "Enter");
    return page.textContent("#out");
  },
  "keyboard.insertText": async ({ page }) => {
    await page.focus("#who");
    await page.keyboard.insertText("日本");
    return page.inputValue("#who");
  },
  "mouse: move, down, up, wheel": async ({ page }) => {
    await page.evaluate(
      "window.log = []; for (const t of ['mousedown', 'mouseup', 'wheel']) addEventListener(t, (e) => log.push(e.type))",
    );
    await page.mouse.move(100, 100);
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.wheel(0, 10);
    await page.waitForFunction("log.length === 3");
    return page.evaluate("log.join()");
  },
  "drag and drop": async ({ page }) => {
    await page.setContent(
      `<div id=a draggable=true ondragstart="event.dataTransfer.setData('text', 'x')">a</div><div id=b style="height:50px" ondragover="event.preventDefault()" ondrop="this.textContent = 'got ' + event.dataTransfer.getData('text')">b</div>`,
    );
    await page.dragAndDrop("#a", "#b");
    return page.textContent("#b");
  },
  "select by value, label and index": async ({ page }) => [
    await page.selectOption("#colour", "g"),
    await page.selectOption("#colour", { label: "Red" }),
    await page.selectOption("#colour", { index: 1 }),
  ],
  "check and uncheck": async ({ page }) => {
    await page.check("#agree");
    const on = await page.isChecked("#agree");
    await page.uncheck("#agree");
    return [on, await page.isChecked("#agree")];
  },
  "visible, enabled, editable": async ({ page }) => [
    await page.isVisible("h1"),
    await page.isEnabled("#greet"),
    await page.isEditable("#who"),
    await page.isHidden("#nowhere"),
  ],
  "bounding box": async ({ page }) => {
    await page.setContent(
      `<div id=box style="position:absolute;left:10px;top:20px;width:30px;height:40px"></div>`,
    );
    return page.locator("#box").boundingBox();
  },
  "scroll into view": async ({ page }) => {
    await page.setContent(`<div style="height:3000px"></div><p id=far>far</p>`);
    await page.locator("#far").scrollIntoViewIfNeeded();
    return page.evaluate("scrollY > 1000");
  },
  "wait for it to appear and to vanish": async ({ page }) => {
    await page.evaluate(
      "setTimeout(() => { const b = document.createElement('b'); b.id = 'late'; b.textContent = 'x'; document.body.append(b) }, 30)",
    );
    await page.waitForSelector("#late");
    await page.evaluate("setTimeout(() => late.remove(), 30)");
    await page.waitForSelector("#late", { state: "detached" });
    return page.locator("#late").count();
  },
  "shadow DOM": async ({ page }) => {
    await page.setContent("<div id=host></div>");
    await page.evaluate(
      "host.attachShadow({mode: 'open'}).innerHTML = '<button onclick=\"this.textContent = 1\">in shadow</button>'",
    );
    await page.getByRole("button", { name: "in shadow" }).click();
    return page.locator("#host button").textContent();
  },
  "an element handle": async ({ page }) => {
    const handle = await page.$("#who");
    await handle?.fill("h");
    return [await handle?.inputValue(), await handle?.getAttribute("placeholder")];
  },
  "the frame of an element": async ({ page, url }) => {
    await page.goto(url("/frames"));
    const frame = await (await page.waitForSelector("iframe[name=near]")).contentFrame();
    return frame?.name();
  },
  "aria snapshot": ({ page }) => page.locator("form").ariaSnapshot(),
  "inner HTML and text": async ({ page }) => [await page.innerHTML("ul"), await page.textContent("ul")],
  focus: async ({ page }) => {
    await page.focus("#who");
    return page.evaluate("document.activeElement.id");
  },
  tap: async ({ page }) => page.locator("#count").tap({ timeout: 20_000 }),
  "dispatch an event": async ({ page }) => {
    await page.dispatchEvent("#count", "click");
    return page.textContent("#count");
  },
};
