import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LONG_CHAT, writeLongChat } from "../../support/chat/long-chat.js";
import { type ChatStage, startChatStage, startTurn } from "./stage.js";

const TURNS = 5_000;
let home: string;
let chat: ChatStage;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "debug-bridge-long-chat-"));
  writeLongChat(home, TURNS);
  chat = await startChatStage({ home });
});
afterAll(async () => {
  await chat?.close();
  rmSync(home, { recursive: true, force: true });
});

describe("a conversation of 10,000 messages", () => {
  it("opens with its newest page, reads earlier ones while scrolling up, and nothing that is read moves", async () => {
    const page = await chat.panel();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/transcript")) asked.push(new URL(request.url()).search);
    });
    await page.goto(`${page.url()}#chat=${LONG_CHAT}`);
    await page.locator(".markdown", { hasText: `Answer ${TURNS - 1} ` }).waitFor();
    expect(asked).toEqual(["?limit=200"]);
    expect(await page.locator(".turn").count()).toBeLessThan(40);
    const { moved, read, mostTurns } = await page.evaluate(async () => {
      const scroller = document.querySelector(".turns") as HTMLElement;
      const frames = async (count: number): Promise<void> => {
        for (let i = 0; i < count; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
      };
      const middle = scroller.getBoundingClientRect().top + scroller.clientHeight / 2;
      const numbers = (): number[] =>
        [...document.querySelectorAll(".message .said p")].map((each) =>
          Number(/\d+/.exec(each.textContent ?? "")),
        );
      const tops = (): Map<number, number> =>
        new Map(
          [...document.querySelectorAll(".turn")].map((turn) => [
            Number(/\d+/.exec(turn.querySelector(".said p")?.textContent ?? "")),
            turn.getBoundingClientRect().top,
          ]),
        );
      let moved = 0;
      let mostTurns = 0;
      for (let i = 0; i < 250; i++) {
        scroller.scrollTop -= 700;
        await frames(2);
        const before = tops();
        await frames(4);
        for (const [number, top] of tops()) {
          const known = before.get(number);
          if (known !== undefined && Math.abs(known - middle) < scroller.clientHeight)
            moved = Math.max(moved, Math.abs(top - known));
        }
        mostTurns = Math.max(mostTurns, before.size);
      }
      return { moved, mostTurns, read: Math.min(...numbers()) };
    });
    expect(asked.length).toBeGreaterThan(4);
    expect(read).toBeLessThan(TURNS - 300);
    expect(mostTurns).toBeLessThan(40);
    expect(moved).toBeLessThanOrEqual(1);
    await page.close();
  });

  it("goes to its end when the person sends a message", async () => {
    const page = await chat.panel();
    await page.goto(`${page.url()}#chat=${LONG_CHAT}`);
    await page.locator(".markdown", { hasText: `Answer ${TURNS - 1} ` }).waitFor();
    await page.locator(".turns").evaluate((element) => element.scrollBy(0, -3_000));
    await page.locator(".message", { hasText: `Question ${TURNS - 1}` }).waitFor({ state: "detached" });
    const turn = await startTurn(chat, page, "And now?");
    await page.locator(".message", { hasText: "And now?" }).waitFor();
    turn.emit({ type: "delta", text: "Now is the end" });
    await page.getByText("Now is the end").waitFor();
    await page.locator(".turns").evaluate((element) => element.scrollBy(0, -3_000));
    await page.getByText("Now is the end").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Newest" }).click();
    await page.getByText("Now is the end").waitFor();
    await page.getByRole("button", { name: "Newest" }).waitFor({ state: "detached" });
    turn.end();
    await page.close();
  });
});
