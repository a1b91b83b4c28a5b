import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { looksAt, violations } from "./axe.js";
import { type ChatStage, startChatStage, startTurn } from "./stage.js";

let chat: ChatStage;
beforeAll(async () => {
  chat = await startChatStage();
});
afterAll(() => chat?.close());

/** In the page: pastes a picture. */
async function addPicture(): Promise<void> {
  const canvas = new OffscreenCanvas(40, 30);
  canvas.getContext("2d");
  const blob = await canvas.convertToBlob();
  const data = new DataTransfer();
  data.items.add(new File([blob], "a.png", { type: "image/png" }));
  const paste = new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data });
  document.querySelector("textarea")?.dispatchEvent(paste);
}

describe.each(["panel", "page"] as const)("the chat in the %s", (where) => {
  it("has nothing that axe objects to, in both themes, narrow and wide", async () => {
    const page = await chat[where]();
    const check = async (): Promise<void> => {
      for (const [colorScheme, width] of looksAt(320, 1_280)) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width, height: 700 });
        expect(await violations(page), `${colorScheme}, ${width} pixels`).toEqual([]);
      }
    };
    await page.evaluate(addPicture);
    await page.locator(".attached-picture").waitFor();
    await check();
    const turn = await startTurn(chat, page, "Show everything");
    const step = { type: "step", kind: "tool", title: "debug-bridge: act" } as const;
    const detail = '{"type":"click","target":{"ref":"e1"}}\nsettled after 1 ms\nerror: x';
    turn.emit({ ...step, id: "1", status: "done", detail });
    turn.emit({ ...step, id: "2", status: "failed", detail });
    turn.emit({ ...step, id: "3", status: "running", detail });
    turn.emit({
      type: "delta",
      text: "# Title\n\n> quote\n\n```ts\nlet a = 1; // x\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n[x](https://example.com)",
    });
    turn.emit({ type: "usage", usage: { contextTokens: 90, contextWindow: 100 } });
    await page.locator("details.step").first().click();
    await page.locator(".code-keyword").waitFor();
    await check();
    turn.end({ outcome: "failed", code: "internal", message: "it broke" });
    await page.getByText("it broke").waitFor();
    await check();
    await page.locator(".turns").focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await check();
    await page.keyboard.press("Escape");
    await page.close();
  });

  it("can be used with the keyboard alone", async () => {
    const page = await chat[where]();
    await page.setViewportSize({ width: 400, height: 700 });
    const { keyboard } = page;
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
      });
    const tabTo = async (name: string, key = "Tab"): Promise<void> => {
      for (let i = 0; i < 40 && (await focused()) !== name; i++) await keyboard.press(key);
      expect(await focused()).toBe(name);
    };
    await tabTo("Message");
    const { length } = chat.provider.turns;
    await keyboard.type("First line");
    await keyboard.press("Shift+Enter");
    await keyboard.type("second line");
    await keyboard.press("Enter");
    const turn = await until(() => chat.provider.turns[length]);
    expect(turn.request.message).toBe("First line\nsecond line");
    turn.emit({
      ...{ type: "step", id: "1", kind: "tool", status: "done" },
      title: "logs",
      detail: "{}\nall quiet",
    });
    await page.getByText("Read the console").waitFor();
    expect(await focused()).toBe("Message");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await tabTo("Stop");
    await keyboard.press("Enter");
    await page.getByText("You stopped the agent.").waitFor();
    // Back to the step, which opens; then to the list of chats, and a new one.
    for (let i = 0; i < 40 && !(await focused()).startsWith("Read the console"); i++)
      await keyboard.press("Shift+Tab");
    await keyboard.press("Enter");
    await page.getByText("all quiet").waitFor();
    await tabTo("Chats", "Shift+Tab");
    await keyboard.press("Enter");
    await until(async () => (await focused()) === "Search chats");
    await keyboard.press("ArrowDown");
    expect(await focused()).toContain("First line");
    await tabTo("New chat", "Shift+Tab");
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "What should the agent do?" }).waitFor();
    expect(await focused()).toBe("Message");
    await page.close();
  });
});
