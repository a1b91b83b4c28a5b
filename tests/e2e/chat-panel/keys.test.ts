import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { type ChatStage, startChatStage, startTurn } from "./stage.js";

let chat: ChatStage;
beforeAll(async () => {
  chat = await startChatStage();
});
afterAll(() => chat?.close());

describe.each([320, 1_000])("keys at %s pixels", (width) => {
  it("Ctrl+K goes to the search, and ? shows what the keys do", async () => {
    const page = await chat.page();
    await page.setViewportSize({ width, height: 700 });
    const { keyboard } = page;
    const focused = (): Promise<string | null | undefined> =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    const turn = await startTurn(chat, page, `Keys at ${width}`);
    await keyboard.press("Control+k");
    await until(async () => (await focused()) === "Search chats");
    await keyboard.type(`at ${width}`);
    await page
      .getByRole("navigation")
      .getByRole("button", { name: `Keys at ${width}` })
      .waitFor();
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await until(async () => (await focused()) === "Message");
    // In a field it is a character.
    await keyboard.type("why?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.locator(".turns").focus();
    await keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).getByText("Search the chats").waitFor();
    await keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.getByText("You stopped the agent.").count()).toBe(0);
    turn.end();
    await page.close();
  });
});

describe("what is shown until there is something to show", () => {
  it("is bars in the list and in the conversation, and no message that nothing is there", async () => {
    const page = await chat.page();
    const turn = await startTurn(chat, page, "Slowly");
    turn.emit({ type: "delta", text: "Here it is" });
    turn.end();
    await page.getByText("Here it is").waitFor();
    await page.setViewportSize({ width: 1_000, height: 700 });
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/v1\/chats(\/.*transcript.*)?$|transcript/, async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    await page.locator(".turns[aria-busy] .skeleton").first().waitFor();
    await page.locator(".chats .skeleton").waitFor();
    expect(await page.getByText("No chats yet").count()).toBe(0);
    release();
    await page.getByText("Here it is").waitFor();
    await page.locator(".skeleton").first().waitFor({ state: "detached" });
    await page.close();
  });
});
