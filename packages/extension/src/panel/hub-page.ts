/// <reference types="chrome" />
import { HubProblem } from "@debug-bridge/ui/chat";
import type { PopupView } from "../popup/view.js";
import { POPUP_PORT } from "../port-messages.js";

/** How long the worker may take to connect before the person learns that there is no hub. */
const WAIT_MS = 3_000;

/** Where the hub has its pages, as the worker knows it from the relay. */
export interface HubPage {
  url(): Promise<string>;
}

/** Follows what the worker knows. `onChange` is called when the hub is elsewhere than before. */
export function hubPage(onChange: () => void): HubPage {
  let known: string | undefined;
  let waiting: ((url: string) => void)[] = [];
  const connect = (): void => {
    const port = chrome.runtime.connect({ name: POPUP_PORT });
    port.onMessage.addListener(({ dashboardUrl }: PopupView) => {
      const url = dashboardUrl === undefined ? undefined : validOrigin(dashboardUrl);
      if (url === undefined || url === known) return;
      const isOther = known !== undefined;
      known = url;
      if (isOther) onChange();
      for (const resolve of waiting.splice(0)) resolve(url);
    });
    // The worker may stop while the panel is open. Connecting again starts it.
    port.onDisconnect.addListener(connect);
  };
  connect();
  return {
    url() {
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve, reject) => {
        const limit = setTimeout(() => {
          waiting = waiting.filter((each) => each !== settle);
          reject(new HubProblem("No hub is connected. Start it with: debug-bridge up"));
        }, WAIT_MS);
        const settle = (url: string): void => {
          clearTimeout(limit);
          resolve(url);
        };
        waiting.push(settle);
      });
    },
  };
}

function validOrigin(address: string): string | undefined {
  try {
    return new URL(address).origin;
  } catch {
    return undefined;
  }
}
