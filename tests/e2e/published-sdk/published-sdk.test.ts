import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { auditText } from "../../support/hub/audit.js";
import { stage } from "../hub/stage.js";
import { mcpClient } from "../mcp/client.js";
import { servePublished } from "./stage.js";

const BODY = `
  <button data-testid="buy" onclick="buy()">Buy</button>
  <button id="never" disabled>Never</button>
  <ul><li>One <button onclick="remove(this)">Remove</button></li><li>Two <button onclick="remove(this)">Remove</button></li></ul>
  <input name="email" placeholder="E-mail"><input type="password" name="pass" value="hunter2">
  <select name="size"><option value="s">Small</option><option value="l">Large</option></select>
  <p id="out"></p><div style="height: 3000px"></div>
  <script>
    function buy() {
      window.cartItems = 1;
      console.log("bought %d", 1);
      console.debug("details");
      document.querySelector("#out").textContent = "Thank you";
      document.querySelector("#out").insertAdjacentHTML("afterend", "<a href='/cart'>Cart</a>");
      fetch("/api/buy?token=s3cret", { method: "post" });
      setTimeout(() => { throw new Error("broken cart"); }, 20);
    }
    function remove(button) { console.warn("removed", button.parentElement.firstChild.data.trim()); button.parentElement.remove(); }
  </script>`;

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

describe("an app with the published SDK debug-bridge-browser 0.2", () => {
  it("is observed, used and read with the tools, like any other app [APP-091]", async () => {
    const { ready, home, open } = await stage(browser);
    const { page } = await open(await servePublished(BODY, ready.hub, { enableEval: true }));
    const mcp = await mcpClient(["--hub", ready.hub, "--home", home]);
    const call = (name: string, input: Record<string, unknown> = {}) =>
      mcp.call(name, { session: "published", ...input });
    await until(async () => (await mcp.call("sessions")).text.includes("published app connected"));

    const seen = await call("observe");
    expect(seen.text).toMatch(/e\d+ button "Buy"/);
    expect(seen.text).toMatch(/e\d+ button "Never" disabled/);
    expect(seen.text).toMatch(/textbox "E-mail"/);
    expect(seen.text).toMatch(/combobox "size" value "s"/);
    expect(seen.text).toContain("does not report other text");
    expect(seen.text).not.toContain("hunter2");

    const bought = await call("act", { type: "click", target: { text: "Buy" } });
    expect(bought.isError ? bought.text : "").toBe("");
    expect(bought.text).toMatch(/\+ e\d+ link "Cart"/);
    expect(bought.text).toContain("bought");
    expect(bought.text).toContain("broken cart");
    expect(bought.text).toContain("/api/buy");
    expect(await page.textContent("#out")).toBe("Thank you");

    const typed = await call("act", {
      type: "type",
      target: { id: "E-mail", text: "E-mail" },
      text: "ada@example.com",
    });
    expect(typed.text).toContain("ada@example.com");
    expect(await page.inputValue("[name=email]")).toBe("ada@example.com");
    await call("act", { type: "select", target: { role: "combobox" }, values: ["l"] });
    expect(await page.inputValue("[name=size]")).toBe("l");
    expect(
      (await call("act", { type: "select", target: { role: "combobox" }, values: ["Medium"] })).text,
    ).toMatch(/NOT applied[\s\S]*no option has the value "Medium"/);
    expect((await call("act", { type: "scroll", y: 500 })).text).toMatch(/"moved":\{"x":0,"y":[1-9]/);
    expect((await call("eval", { code: "1 + 1" })).text).toContain("2");
    expect((await call("eval", { code: "nowhere.x" })).text).toContain("nowhere is not defined");
    expect((await call("screenshot")).images[0]?.mimeType).toBe("image/png");

    const logs = (await call("logs")).text;
    expect(logs).toContain("console.log: bought 1");
    expect(logs).toContain("console.debug: details");
    expect(logs).toMatch(/Uncaught Error: broken cart/);
    expect(logs).toMatch(/POST http:\/\/127\.0\.0\.1:\d+\/api\/buy\?token=••• 200/);
    expect(logs).not.toContain("s3cret");
    expect(logs).toContain("now at http://127.0.0.1");
  });

  it("never has an action done on a guess [APP-091]", async () => {
    const { ready, agent: connect, open } = await stage(browser);
    const { page } = await open(await servePublished(BODY, ready.hub));
    const agent = await connect("published");
    const act = (type: string, target: object, more: object = {}) => agent.command({ type, target, ...more });
    await agent.next("ui_tree");
    expect(await act("click", { text: "Remove" })).toMatchObject({ error: "ambiguous_target" });
    expect(await act("click", { text: "Bu" })).toMatchObject({
      error: "target_not_found",
      message: expect.stringContaining('"Buy"'),
    });
    expect(await act("click", { text: "Never" })).toMatchObject({ error: "not_actionable" });
    expect(await page.locator("li").count()).toBe(2);

    const listed = await agent.command({ type: "request_ui_tree", format: "text" });
    const [, second] = [...String(listed.result).matchAll(/(e\d+) button "Remove"/g)].map(([, ref]) => ref);
    expect(await act("click", { ref: second })).toMatchObject({ success: true });
    expect(await page.textContent("ul")).toContain("One");
    // Nobody can say whether the button that is left was the first or the second.
    expect(await act("click", { ref: second })).toMatchObject({ error: "stale_ref" });
    expect(await act("press", { text: "Buy" }, { key: "Enter" })).toMatchObject({
      error: "not_supported",
      message: expect.stringContaining("debug-bridge-browser 0.2"),
    });
    expect(await agent.command({ type: "navigate", url: "javascript:alert(1)" })).toMatchObject({
      error: "navigation_failed",
    });
    expect(await agent.command({ type: "evaluate", code: "1" })).toMatchObject({ error: "eval_disabled" });
    expect(await agent.command({ type: "get_state", scope: "cart" })).toMatchObject({
      value: { items: 0, apiToken: "•••" },
    });
    expect(await agent.command({ type: "get_state", scope: "nope" })).toMatchObject({
      error: "target_not_found",
    });
    expect(await agent.command({ type: "request_dom_snapshot" })).toMatchObject({ success: true });
    expect((await agent.next("dom_snapshot")).html).toContain('data-testid="buy"');
    expect(await act("wait_for", { text: "Buy" }, { maxMs: 20_000 })).toMatchObject({ success: true });
    expect(await act("wait_for", { text: "Gone" }, { maxMs: 300 })).toMatchObject({ error: "timeout" });
  });

  it("is left for another page, and used again there [APP-091]", async () => {
    const { ready, agent: connect, open } = await stage(browser);
    const url = await servePublished(`<a href="/next">Next</a>${BODY}`, ready.hub);
    const { page } = await open(url);
    const agent = await connect("published");
    await agent.next("ui_tree");
    expect(await agent.command({ type: "click", target: { text: "Next" } })).toMatchObject({ success: true });
    await page.waitForURL(`${url}next`);
    const seen = await agent.command({ type: "request_ui_tree", format: "text" });
    expect(seen).toMatchObject({ success: true, value: { url: `${url}next` } });
  });

  it("is refused nothing, and exchanges nothing when nothing happens: no loop [APP-091, APP-092]", async () => {
    const { ready, home, agent: connect, open } = await stage(browser);
    const { page, sent } = await open(await servePublished(BODY, ready.hub));
    const agent = await connect("published");
    await agent.next("ui_tree");
    await agent.command({ type: "click", target: { text: "Buy" } });
    agent.send({ type: "cancel", requestId: "nothing" });
    const count = sent.length;
    await page.waitForTimeout(1_000);
    expect(sent.length).toBeLessThanOrEqual(count + 3);
    expect(auditText(home).match(/invalid_message.*/g) ?? []).toEqual([]);
  });
});
