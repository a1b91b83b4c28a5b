/// <reference types="chrome" />
import type { PageSession, PageTools, PickListener } from "@debug-bridge/ui/chat";
import { type FromPanel, PANEL_PORT, type ToPanel } from "../port-messages.js";

/** What the person can show from a shared tab, with the help of the worker. */
export const tabTools: PageTools = {
  canCapture: isTab,
  canPick: isTab,
  async capture(session) {
    const answer = await request({ kind: "capture", tabId: tabIdOf(session) });
    if (answer?.kind === "captured") return answer.picture;
    throw new Error("The page could not be captured.");
  },
  async pick(session, signal, listener) {
    const answer = await request({ kind: "pick", tabId: tabIdOf(session) }, signal, listener);
    if (answer?.kind !== "picked") return undefined;
    const { element, picture } = answer;
    return picture ? { element, picture } : { element };
  },
};

function isTab({ kind, id }: PageSession): boolean {
  return kind === "tab" && /^tab-\d+$/.test(id);
}

const tabIdOf = ({ id }: PageSession): number => Number(id.slice("tab-".length));

function keysOf(port: chrome.runtime.Port): Parameters<PickListener["onReady"]>[0] {
  const post = (message: FromPanel): void => port.postMessage(message);
  return { move: (step) => post({ kind: "point", step }), choose: () => post({ kind: "choose" }) };
}

/** Asks the worker; nothing when `signal` aborts. Rejects with what the worker says is in the way. */
function request(
  message: FromPanel,
  signal?: AbortSignal,
  listener?: PickListener,
): Promise<ToPanel | undefined> {
  return new Promise((resolve, reject) => {
    const port = chrome.runtime.connect({ name: PANEL_PORT });
    port.onMessage.addListener((answer: ToPanel) => {
      if (answer.kind === "ready") return listener?.onReady(keysOf(port));
      if (answer.kind === "pointed") return listener?.onPointed(answer.role, answer.name);
      port.disconnect();
      if (answer.kind === "failed") reject(new Error(answer.message));
      else resolve(answer);
    });
    port.onDisconnect.addListener(() => reject(new Error("Chrome stopped the extension. Try again.")));
    signal?.addEventListener(
      "abort",
      () => {
        port.disconnect();
        resolve(undefined);
      },
      { once: true },
    );
    port.postMessage(message);
  });
}
