import { fileURLToPath } from "node:url";
import { EXTENSION_ID } from "@debug-bridge/extension/id";
import type { Browser, Page } from "playwright-core";
import { until } from "../../fixtures.js";
import { controlledProvider } from "../../support/chat/chat-provider.js";
import { Stage } from "../relay/stage.js";

const TYPES: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript", css: "text/css" };

/** The files of the page at `/chat`, as the hub of the command line serves them. */
function chatAssets(): Map<string, { file: string; type: string }> {
  const names = ["chat.html", "chat.js", "chat-highlighter.js", "chat.css"];
  return new Map(
    names.map((name) => [
      name === "chat.html" ? "/chat" : `/${name}`,
      {
        file: fileURLToPath(import.meta.resolve(`@debug-bridge/ui/page/${name}`)),
        type: `${TYPES[name.split(".")[1] ?? ""]}; charset=utf-8`,
      },
    ]),
  );
}

export interface ChatStage {
  readonly stage: Stage;
  readonly provider: ReturnType<typeof controlledProvider>;
  /** The side panel's page, in a separate tab. */
  panel(): Promise<Page>;
  /** The page that the hub serves. */
  page(): Promise<Page>;
  close(): Promise<void>;
}

/** A person's Chromium with the built extension, paired with a hub whose agent does what the test says. */
export async function startChatStage(options: { readonly home?: string } = {}): Promise<ChatStage> {
  const provider = controlledProvider();
  const stage = await Stage.start({ ...options, chatProviders: [provider], assets: chatAssets() });
  let browser: Browser | undefined;
  const open = async (url: string): Promise<Page> => {
    browser ??= await stage.direct();
    const page = (await browser.contexts()[0]?.newPage()) as Page;
    await page.goto(url);
    await page.locator('.chat-app[data-connection="live"]').waitFor();
    return page;
  };
  return {
    stage,
    provider,
    panel: () => open(`chrome-extension://${EXTENSION_ID}/panel.html`),
    page: () => open(`${stage.hub.url}/chat#token=${stage.hub.token}`),
    close: () => stage.close(),
  };
}

/** Sends a message with the keyboard, as people do. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByLabel("Message").press("Enter");
}

/** Sends a message, when the last one is sent, and returns the agent's turn that it starts. */
export async function startTurn({ provider }: ChatStage, page: Page, text: string) {
  const { length } = provider.turns;
  await page.getByLabel("Message").fill(text);
  await page.locator("button.send:enabled").waitFor();
  await page.getByLabel("Message").press("Enter");
  return until(() => provider.turns[length]);
}
