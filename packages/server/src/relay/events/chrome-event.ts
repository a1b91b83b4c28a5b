import type { Params } from "../wire/messages.js";

/** An event of Chrome. Its parameters are parsed only where the relay has to look into them. */
export interface ChromeEvent {
  readonly method: string;
  readonly text: string;
  readonly params: Params | undefined;
}

/** An event that the relay sends itself: one that it made up, or one that Chrome sent before. */
export function chromeEvent(method: string, params: object): ChromeEvent {
  return { method, text: JSON.stringify(params), params: params as Params };
}
