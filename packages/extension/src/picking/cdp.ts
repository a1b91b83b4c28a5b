/// <reference types="chrome" />

/** A CDP command to a tab that the debugger is attached to, for the person themselves. */
export async function send<Result>(tabId: number, method: string, params: object = {}): Promise<Result> {
  return (await chrome.debugger.sendCommand(
    { tabId },
    method,
    params as Record<string, unknown>,
  )) as unknown as Result;
}
