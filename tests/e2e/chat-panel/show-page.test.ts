import { EXTENSION_ID } from "@debug-bridge/extension/id";
import jpeg from "jpeg-js";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { png } from "../../support/chrome/png.js";
import { violations } from "./axe.js";
import { type ChatStage, startChatStage, startTurn } from "./stage.js";

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

/** The panel, and the tab that it is beside. */
async function beside(): Promise<{ panel: Page; tab: Page }> {
  const panel = await chat.panel();
  opened.push(panel);
  const home = chat.stage.site.url("/");
  const tab = await until(() =>
    panel
      .context()
      .pages()
      .find((page) => page.url() === home),
  );
  await panel.getByLabel("Works in").selectOption({ label: "Home" });
  return { panel, tab };
}

const idOf = (panel: Page): Promise<string> => panel.getByLabel("Works in").inputValue();

/** How wide the picture in the composer is, and how much of it is green. */
async function greenOf(panel: Page): Promise<{ width: number; share: number }> {
  return panel.locator(".attached-picture img").evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context?.drawImage(image, 0, 0);
    const { data = new Uint8ClampedArray() } = context?.getImageData(0, 0, width, height) ?? {};
    let green = 0;
    for (let i = 0; i < data.length; i += 4)
      if ((data[i] ?? 0) < 60 && (data[i + 1] ?? 0) > 120 && (data[i + 2] ?? 0) < 60) green++;
    return { width, share: green / (width * height) };
  });
}

describe("showing something of the page to the agent", () => {
  it("picks an element: the message gets its ref, its source and a picture, and the page notices nothing", async () => {
    const { panel, tab } = await beside();
    await tab.evaluate(() => {
      // Far down, so that the page is scrolled.
      const button = document.querySelector<HTMLElement>("#count");
      button?.style.setProperty("margin", "1500px 0 0 200px");
      button?.style.setProperty("background", "rgb(0, 160, 0)");
      button?.scrollIntoView({ block: "center" });
      document.querySelector("#count")?.setAttribute("data-source", "src/counter.tsx:7:3");
      Object.assign(window, { seen: [] });
      for (const type of ["pointerdown", "mousedown", "click"])
        addEventListener(type, () => (window as unknown as { seen: string[] }).seen.push(type), true);
    });
    await panel.getByRole("button", { name: "Pick an element" }).click();
    await panel.getByText("Click an element in “Home”, or press ↓. Esc cancels").waitFor();
    const pressed = panel.getByRole("button", { name: "Pick an element", pressed: true });
    await pressed.waitFor();
    expect(await tab.evaluate(() => scrollY)).toBeGreaterThan(500);
    const box = await tab.getByRole("button", { name: "Count" }).boundingBox();
    const at = [(box?.x ?? 0) + 5, (box?.y ?? 0) + 5] as const;
    await tab.mouse.move(at[0] - 1, at[1]);
    await tab.mouse.click(...at);
    const chip = panel.locator(".composer .chip");
    expect(await chip.locator(".name").textContent()).toBe("Count");
    expect(await chip.locator(".source").textContent()).toBe("src/counter.tsx:7:3");
    expect(await panel.getByRole("button", { name: "Open picture 1" }).count()).toBe(1);
    const { width, share } = await greenOf(panel);
    expect(width).toBeCloseTo((box?.width ?? 0) + 24, -1);
    expect(share).toBeGreaterThan(0.15);
    expect(await pressed.count()).toBe(0);
    expect(await tab.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
    await startTurn(chat, panel, "Make this larger");
    const message = panel.locator(".message").last();
    const ref = (await message.locator(".chip code").first().textContent()) ?? "";
    expect(await message.getByText("src/counter.tsx:7:3").count()).toBe(1);
    await message.getByRole("button", { name: "Open picture: sent with the message" }).click();
    await panel.getByRole("dialog").getByRole("img").waitFor();
    await panel.keyboard.press("Escape");
    expect(await panel.getByRole("dialog").count()).toBe(0);
    expect(await panel.getByText("You stopped the agent.").count()).toBe(0);
    // The ref is the one that agents use: it finds the same element.
    const command = { type: "click", target: { ref } };
    const answer = await fetch(`${chat.stage.hub.url}/v1/sessions/${await idOf(panel)}/commands`, {
      method: "POST",
      headers: { authorization: `Bearer ${chat.stage.hub.token}` },
      body: JSON.stringify(command),
    });
    expect(await answer.json()).toMatchObject({ success: true });
    await tab.getByRole("button", { name: "Clicked 1" }).waitFor();
  });

  it("picks an element for agents from the popup: its ref and styles are in the next logs, and the page gets no click", async () => {
    const { panel, tab } = await beside();
    const session = await idOf(panel);
    const direct = await chat.stage.direct();
    const popup = (await direct.contexts()[0]?.newPage()) as Page;
    opened.push(popup);
    await popup.goto(`chrome-extension://${EXTENSION_ID}/popup.html?tab=${session.slice("tab-".length)}`);
    await popup.getByRole("button", { name: "Pick an element of Home for agents" }).click();
    await tab.locator("debug-bridge-overlay").waitFor({ state: "attached" });
    const before = await tab.locator("#count").innerText();
    await tab.locator("#count").click({ force: true });
    const picked = await until(async () => {
      const answer = await fetch(`${chat.stage.hub.url}/v1/sessions/${session}/events?types=picked`, {
        headers: { authorization: `Bearer ${chat.stage.hub.token}` },
      });
      const { events } = (await answer.json()) as { events: { data: Record<string, unknown> }[] };
      return events.at(-1)?.data;
    });
    expect(picked).toMatchObject({ role: "button", name: before, ref: expect.stringMatching(/^e\d+$/) });
    expect(picked.styles).toMatchObject({ display: expect.any(String) });
    const { width, height } = jpeg.decode(Buffer.from((picked.picture as { data: string }).data, "base64"));
    const box = await tab.locator("#count").boundingBox();
    expect(Math.abs(width - (box?.width ?? 0))).toBeLessThan(8);
    expect(Math.abs(height - (box?.height ?? 0))).toBeLessThan(8);
    expect(await tab.locator("#count").innerText()).toBe(before);
  });

  it("stops picking with Escape, in the panel or in the page, without stopping the agent", async () => {
    const { panel, tab } = await beside();
    await startTurn(chat, panel, "Work on");
    const hint = panel.getByText("Click an element in “Home”, or press ↓. Esc cancels");
    for (const where of [panel, tab]) {
      await panel.getByRole("button", { name: "Pick an element" }).click();
      await hint.waitFor();
      await where.mouse.move(100, 100);
      await where.keyboard.press("Escape");
      await hint.waitFor({ state: "detached" });
    }
    expect(await panel.locator(".composer .chip").count()).toBe(0);
    expect(await panel.getByText("You stopped the agent.").count()).toBe(0);
    // The page takes clicks again.
    await tab.getByRole("checkbox").check();
  });

  it("picks an element with the keyboard alone, and sends it without a word", async () => {
    const { panel, tab } = await beside();
    await panel.getByRole("button", { name: "Pick an element" }).focus();
    await panel.keyboard.press("Enter");
    await panel.getByText("Click an element in “Home”, or press ↓. Esc cancels").waitFor();
    const hint = panel.locator("#composer-hint");
    const seen: string[] = [];
    const next = async (key: string): Promise<string> => {
      const before = await hint.textContent();
      await panel.keyboard.press(key);
      const now = await until(async () =>
        (await hint.textContent()) !== before ? hint.textContent() : null,
      );
      seen.push(now);
      return now;
    };
    while (!(await next("ArrowDown")).startsWith("Greet, button")) expect(seen.length).toBeLessThan(20);
    expect(seen).toContain("Home, heading: Enter picks it");
    const greet = seen.at(-1);
    await next("ArrowDown");
    expect(await next("ArrowUp")).toBe(greet);
    expect(await violations(panel)).toEqual([]);
    await panel.keyboard.press("Enter");
    await panel.locator(".composer .chip .name", { hasText: "Greet" }).waitFor();
    expect(await panel.getByRole("button", { name: "Open picture 1" }).count()).toBe(1);
    // Nothing was pressed in the page.
    expect(await tab.locator("#out").textContent()).toBe("");
    const { length } = chat.provider.turns;
    await panel.getByRole("textbox", { name: "Message" }).focus();
    await panel.keyboard.press("Enter");
    const turn = await until(() => chat.provider.turns[length]);
    expect(turn.request.message).toContain("The person wrote nothing");
    expect(turn.request.message).toMatch(/The person picked this element: e\d+ button "Greet"/);
    await panel.getByRole("heading", { name: '(the element "Greet" and 1 picture)' }).waitFor();
    await panel.locator(".message .chip .name", { hasText: "Greet" }).waitFor();
  });

  it("picks an element inside a frame of the same site: agents find it by its ref", async () => {
    const { panel, tab } = await beside();
    const frames = await tab.context().newPage();
    opened.push(frames);
    await frames.goto(chat.stage.site.url("/frames"));
    await panel.getByLabel("Works in").selectOption({ label: "Frames" });
    await panel.getByRole("button", { name: "Pick an element" }).click();
    await panel.getByText("Click an element in “Frames”").waitFor();
    const button = frames.frameLocator("iframe[name=near]").getByRole("button", { name: "Press" });
    const box = await button.boundingBox();
    const at = [(box?.x ?? 0) + 5, (box?.y ?? 0) + 5] as const;
    await frames.mouse.move(at[0] - 1, at[1]);
    await frames.mouse.click(...at);
    const chip = panel.locator(".composer .chip");
    expect(await chip.locator(".name").textContent()).toBe("Press");
    const ref = await chip.locator("code").first().textContent();
    const answer = await fetch(`${chat.stage.hub.url}/v1/sessions/${await idOf(panel)}/commands`, {
      method: "POST",
      headers: { authorization: `Bearer ${chat.stage.hub.token}` },
      body: JSON.stringify({ type: "click", target: { ref } }),
    });
    expect(await answer.json()).toMatchObject({ success: true });
    await frames.frameLocator("iframe[name=near]").getByRole("button", { name: "Pressed" }).waitFor();
    // With the keyboard, too: its elements come where the frame is.
    await panel.getByRole("button", { name: "Pick an element" }).press("Enter");
    await panel.getByText("Click an element in “Frames”").waitFor();
    const marked = panel.getByText("Pressed, button: Enter picks it");
    for (let i = 0; i < 12 && (await marked.count()) === 0; i++) {
      await panel.keyboard.press("ArrowDown");
      await marked.waitFor({ timeout: 1_000 }).catch(() => {});
    }
    await panel.keyboard.press("Enter");
    await chip.locator(".name", { hasText: "Pressed" }).waitFor();
  });

  it("captures the page, and sends it with the message, or alone", async () => {
    const { panel } = await beside();
    await panel.getByRole("button", { name: "Capture the page" }).click();
    await panel.getByRole("button", { name: "Open picture 1" }).waitFor();
    const first = chat.provider.turns.length;
    const sent = panel.waitForRequest((request) => request.url().endsWith("/runs"));
    await panel.getByRole("textbox", { name: "Message" }).fill("What is this?");
    await panel.keyboard.press("Enter");
    const { images } = (await sent).postDataJSON().context;
    expect(images).toHaveLength(1);
    expect(Buffer.from(images[0].data, "base64").toString("latin1", 8, 12)).toBe("WEBP");
    (await until(() => chat.provider.turns[first])).end();
    // While the agent works, Stop is there instead.
    await panel.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    expect(await panel.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    await panel.getByRole("button", { name: "Capture the page" }).click();
    await panel.getByRole("button", { name: "Open picture 1" }).waitFor();
    await panel.getByRole("button", { name: "Send" }).click();
    const { request } = await until(() => chat.provider.turns[first + 1]);
    expect(request.images).toHaveLength(1);
    expect(request.message).toContain("The person wrote nothing");
  });

  it("captures the page at /chat too, where nothing can be picked", async () => {
    const page = await chat.page();
    opened.push(page);
    await page.getByLabel("Works in").selectOption({ label: "Home" });
    expect(await page.getByRole("button", { name: "Pick an element" }).count()).toBe(0);
    await page.getByRole("button", { name: "Capture the page" }).click();
    await page.getByRole("button", { name: "Open picture 1" }).waitFor();
  });
});

describe.each(["panel", "page"] as const)("pictures of the person in the %s", (where) => {
  it("can be pasted, dropped and chosen, looked at and removed; what is no picture is refused in words", async () => {
    const page = await chat[where]();
    opened.push(page);
    const put = (how: "paste" | "drop", name: string): Promise<void> =>
      page.evaluate(
        async ([how, name]) => {
          const canvas = new OffscreenCanvas(4_000, 300);
          canvas.getContext("2d")?.fillRect(0, 0, 10, 10);
          const isPicture = name.endsWith(".png");
          const blob = isPicture ? await canvas.convertToBlob() : new Blob(["text"]);
          const data = new DataTransfer();
          data.items.add(new File([blob], name, { type: isPicture ? "image/png" : "text/plain" }));
          const target = document.querySelector("textarea") as Element;
          const init = { bubbles: true, cancelable: true };
          if (how === "paste")
            target.dispatchEvent(new ClipboardEvent(how, { ...init, clipboardData: data }));
          else target.dispatchEvent(new DragEvent(how, { ...init, dataTransfer: data }));
        },
        [how, name] as const,
      );
    const pictures = page.locator(".attached-picture");
    await put("paste", "a.png");
    await until(async () => (await pictures.count()) === 1);
    await put("drop", "b.png");
    await until(async () => (await pictures.count()) === 2);
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Add a picture" }).click(),
    ]);
    await chooser.setFiles({ name: "c.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") });
    await page.getByText("c.txt is no picture that the browser can read.").waitFor();
    // What is larger than models look at is made smaller.
    await page.getByRole("button", { name: "Open picture 1" }).click();
    const shown = page.getByRole("dialog").getByRole("img");
    expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(2_048);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Remove picture 1" }).click();
    await until(async () => (await pictures.count()) === 1);
    for (let i = 0; i < 5; i++) await put("drop", "d.png");
    await until(async () => (await pictures.count()) === 6);
    await put("drop", "e.png");
    await page.getByText("A message can have at most 6 pictures.").waitFor();
  });
});

describe.each(["panel", "page"] as const)("pictures of tools in the %s", (where) => {
  it("are small below their step, open large, and are shown to nobody but the chat", async () => {
    const page = await chat[where]();
    opened.push(page);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const turn = await startTurn(chat, page, "Look at it");
    const step = { type: "step", id: "1", kind: "tool", title: "debug-bridge: screenshot" } as const;
    turn.emit({ ...step, status: "running", detail: "{}" });
    const images = [png(640, 480), png(20, 900)].map((picture) => picture.toString("base64"));
    turn.emit({ ...step, status: "done", detail: "{}", images });
    const thumbnails = page.getByRole("button", { name: /^Open picture: what the agent saw/ });
    await until(async () => (await thumbnails.count()) === 2);
    const height = (await thumbnails.first().boundingBox())?.height;
    expect(height).toBe(72);
    await thumbnails.first().click();
    const shown = page.getByRole("dialog").getByRole("img");
    expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640);
    await page.keyboard.press("Escape");
    // The keyboard goes on where it was.
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("thumbnail");
    const own = [chat.stage.hub.url, "chrome-extension://", "data:image/png;base64,"];
    expect(requests.filter((url) => !own.some((start) => url.startsWith(start)))).toEqual([]);
    turn.end();
    await page.getByRole("button", { name: "Send" }).waitFor();
    await page.reload();
    await until(async () => (await thumbnails.count()) === 2);
  });
});
