import { EXTENSION_ID } from "@debug-bridge/extension/id";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { type ChatStage, say, startChatStage, startTurn } from "./stage.js";

let chat: ChatStage;
const opened: Page[] = [];
beforeAll(async () => {
  chat = await startChatStage();
});
afterEach(async () => {
  for (const turn of chat.provider.turns) turn.end();
  for (const page of opened.splice(0)) await page.close();
});
afterAll(() => chat?.close());

async function panel(): Promise<Page> {
  const page = await chat.panel();
  opened.push(page);
  return page;
}

async function hubPage(): Promise<Page> {
  const page = await chat.page();
  opened.push(page);
  return page;
}

const answer = (page: Page) => page.getByRole("region", { name: "Test agent" }).last();

describe("the side panel", () => {
  it("shows an answer while it is written, with its Markdown, steps and context, and ends with it [REL-062]", async () => {
    const page = await panel();
    const turn = await startTurn(chat, page, "Why does **saving** fail?");
    await page.getByText("Why does **saving** fail?").last().waitFor();
    turn.emit({ type: "delta", text: "I look at the " });
    await answer(page).getByText("I look at the").waitFor();
    await page.getByText("Context: unavailable").waitFor();
    turn.emit({ type: "delta", text: "**form**.\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n" });
    await answer(page).locator("strong", { hasText: "form" }).waitFor();
    expect(await answer(page).getByRole("listitem").allTextContents()).toEqual(["one", "two"]);
    await answer(page).locator(".code-keyword", { hasText: "const" }).waitFor();
    const click = '{"type":"click","target":{"role":"button","name":"Save"}}';
    const step = { type: "step", id: "1", kind: "tool", title: "debug-bridge: act" } as const;
    turn.emit({ ...step, status: "running", detail: click });
    await answer(page).getByText("Clicking Save").waitFor();
    const receipt = "settled after 4 ms\nerror: TypeError: x\nPOST http://localhost/orders 500 in 8 ms";
    turn.emit({ ...step, status: "done", detail: `${click}\n${receipt}` });
    await answer(page).getByText("Clicked Save: 1 request, 1 error").click();
    await answer(page).getByText("POST http://localhost/orders 500 in 8 ms").waitFor();
    turn.emit({ type: "usage", usage: { contextTokens: 50_000, contextWindow: 200_000 } });
    await page.getByText("Context: 25% of 200k").waitFor();
    expect(await page.getByRole("button", { name: "Stop" }).isVisible()).toBe(true);
    turn.end();
    await page.getByRole("button", { name: "Send" }).waitFor();
  });

  it("works in the page in front, and in another one that the person chooses", async () => {
    await chat.stage.person.open(chat.stage.site.url("/second"));
    const page = await panel();
    const place = page.getByLabel("Works in");
    await until(async () => (await place.locator("option").allTextContents()).includes("Second"));
    await place.selectOption({ label: "Second" });
    const turn = await startTurn(chat, page, "Look around");
    const session = await place.inputValue();
    expect(turn.request.session).toBe(session);
    const known = await fetch(`${chat.stage.hub.url}/v1/sessions/${session}`, {
      headers: { authorization: `Bearer ${chat.stage.hub.token}` },
    });
    expect(await known.json()).toMatchObject({ kind: "tab", title: "Second" });
  });

  it("goes on after a reload in the middle of a run, and loses nothing", async () => {
    const page = await panel();
    const turn = await startTurn(chat, page, "Count for me");
    turn.emit({ type: "delta", text: "one " });
    await answer(page).getByText("one").waitFor();
    await page.reload();
    turn.emit({ type: "delta", text: "two " });
    await answer(page).getByText("one two").waitFor();
    turn.emit({ type: "delta", text: "three" });
    turn.end();
    await answer(page).getByText("one two three").waitFor();
    await page.getByRole("button", { name: "Send" }).waitFor();
    expect(await answer(page).locator(".markdown").allTextContents()).toEqual(["one two three"]);
  });

  it("stops the agent with its button and with Escape, and keeps what was said", async () => {
    const page = await panel();
    const turn = await startTurn(chat, page, "Go on for ever");
    turn.emit({ type: "delta", text: "on and on" });
    await answer(page).getByText("on and on").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await answer(page).getByText("You stopped the agent.").waitFor();
    await answer(page).getByText("on and on").waitFor();
    await startTurn(chat, page, "Again");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await page.keyboard.press("Escape");
    await until(async () => (await page.getByText("You stopped the agent.").count()) === 2);
  });

  it("keeps two conversations apart that run at once", async () => {
    const [first, second] = [await panel(), await panel()];
    const one = await startTurn(chat, first, "I am Ada");
    const two = await startTurn(chat, second, "I am Grace");
    for (let i = 0; i < 20; i++) {
      one.emit({ type: "delta", text: `ada${i} ` });
      two.emit({ type: "delta", text: `grace${i} ` });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    one.end();
    two.end();
    const words = (name: string): string => Array.from({ length: 20 }, (_, i) => `${name}${i}`).join(" ");
    for (const [page, name] of [
      [first, "ada"],
      [second, "grace"],
    ] as const) {
      await page.getByRole("button", { name: "Send" }).waitFor();
      expect((await answer(page).locator(".markdown").textContent())?.trim()).toBe(words(name));
    }
    // The same window shows one after the other.
    await first.setViewportSize({ width: 1_000, height: 700 });
    await first.getByRole("navigation").getByRole("button", { name: "I am Grace" }).click();
    await until(
      async () => (await first.locator(".markdown").allTextContents()).join("").trim() === words("grace"),
    );
  });

  it("lists earlier chats and resumes them with their saved usage, while another chat runs [REL-051] [REL-056] [REL-061]", async () => {
    const page = await panel();
    await page.setViewportSize({ width: 1_000, height: 700 });
    const turn = await startTurn(chat, page, "An earlier chat");
    turn.emit({ type: "usage", usage: { contextTokens: 10, contextWindow: 100 } });
    turn.end();
    await page.getByText("Context: 10% of 100").waitFor();
    const id = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("chat") ?? "";
    const other = await panel();
    await startTurn(chat, other, "A later chat");
    expect(new URL(page.url()).hash).toBe(`#chat=${id}`);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("An earlier chat");
    await other.setViewportSize({ width: 1_000, height: 700 });
    await other.getByRole("navigation").getByRole("button", { name: "An earlier chat" }).click();
    await other.getByText("Context: 10% of 100").waitFor();
    const answer = await fetch(`${chat.stage.hub.url}/v1/sessions/${id}`, {
      headers: { authorization: `Bearer ${chat.stage.hub.token}` },
    });
    expect(await answer.json()).toMatchObject({
      kind: "chat",
      usage: { contextTokens: 10, contextWindow: 100 },
    });
    await startTurn(chat, other, "Resumed");
    await page.getByText("Resumed").waitFor();
  });

  it("agrees with the page at /chat about one conversation", async () => {
    const page = await panel();
    const turn = await startTurn(chat, page, "Seen twice");
    const other = await hubPage();
    expect(other.url()).toBe(`${chat.stage.hub.url}/chat`);
    await other.setViewportSize({ width: 1_000, height: 700 });
    await other.getByRole("navigation").getByRole("button", { name: "Seen twice" }).click();
    turn.emit({ type: "delta", text: "the same words" });
    await answer(page).getByText("the same words").waitFor();
    await answer(other).getByText("the same words").waitFor();
    await other.getByRole("button", { name: "Stop" }).click();
    await answer(page).getByText("You stopped the agent.").waitFor();
    await say(other, "And once more");
    await page.getByText("And once more").waitFor();
  });

  it("keeps what the person writes while the hub still answers that it got the last message", async () => {
    const page = await hubPage();
    let answerNow = (): void => {};
    const held = new Promise<void>((resolve) => {
      answerNow = resolve;
    });
    await page.route("**/v1/chats/*/runs", async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    const first = await startTurn(chat, page, "The first message");
    first.end();
    await page.getByRole("button", { name: "Send" }).waitFor();
    await page.getByLabel("Message").fill("The next one");
    const answered = page.waitForResponse("**/v1/chats/*/runs");
    answerNow();
    await answered;
    await page.locator("button.send:enabled").waitFor();
    expect(await page.getByLabel("Message").inputValue()).toBe("The next one");
    await page.unroute("**/v1/chats/*/runs");
    (await startTurn(chat, page, "The next one")).end();
    await page.locator(".message", { hasText: "The next one" }).waitFor();
    expect(await page.getByLabel("Message").inputValue()).toBe("");
  });

  it("opens a long chat at its end, and loads what is before when the person scrolls there", async () => {
    const page = await panel();
    const first = await startTurn(chat, page, "The very first message");
    first.emit({ type: "delta", text: "The very first answer" });
    first.end();
    await page.getByRole("button", { name: "Send" }).waitFor();
    const second = await startTurn(chat, page, "The long one");
    for (let i = 0; i < 1_100; i++)
      second.emit({ type: "step", id: `${i}`, kind: "notice", title: `step number ${i}.`, status: "done" });
    second.emit({ type: "delta", text: "The end" });
    second.end();
    await answer(page).getByText("The end").waitFor();
    await page.reload();
    await answer(page).getByText("The end").waitFor();
    await until(async () => {
      await page.locator(".turns").evaluate((element) => element.scrollTo(0, 0));
      return page.locator(".message", { hasText: "The very first message" }).isVisible();
    });
    await page.getByText("The very first answer").waitFor();
    expect(await page.locator(".message", { hasText: "The long one" }).count()).toBe(1);
    expect(await page.getByText("Step number 0.", { exact: true }).count()).toBe(1);
    expect(await page.getByText("Step number 1099.", { exact: true }).count()).toBe(1);
  });

  it("finds, renames and deletes conversations", async () => {
    const page = await panel();
    await page.setViewportSize({ width: 1_000, height: 700 });
    (await startTurn(chat, page, "About zebras")).end();
    await page.getByRole("button", { name: "Send" }).waitFor();
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByLabel("Name of the chat").fill("Stripes");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Stripes" }).waitFor();
    await page.getByRole("searchbox", { name: "Search chats" }).fill("ZEBRA");
    const list = page.getByRole("navigation").getByRole("listitem");
    await until(
      async () =>
        (await list.allTextContents()).join("|").startsWith("Stripes") && (await list.count()) === 1,
    );
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No chat contains").waitFor();
    await page.getByRole("heading", { name: "What should the agent do?" }).waitFor();
  });

  it("opens beside the page from the popup", async () => {
    const direct = await chat.stage.direct();
    const popup = (await direct.contexts()[0]?.newPage()) as Page;
    opened.push(popup);
    await popup.goto(`chrome-extension://${EXTENSION_ID}/popup.html`);
    await popup.locator("#this-tab-title").waitFor();
    await popup.getByRole("button", { name: "Chat beside the page" }).click();
    const isPanel = ({ url }: { url: string }): boolean =>
      url.startsWith(`chrome-extension://${EXTENSION_ID}/panel.html`);
    await until(async () => (await chat.stage.person.targets()).some(isPanel));
  });
});
