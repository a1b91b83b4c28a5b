import { BridgeError, SseParser } from "@debug-bridge/protocol";
import type { FoundHub } from "./find-hub.js";
import { openAuthorized, requestAuthorized } from "./proven.js";
import { refusal } from "./request.js";

/** How pairing by a code is going, as the terminal shows it. */
export type PairingProgress =
  | { readonly state: "waiting"; readonly problem?: string }
  | { readonly state: "compare"; readonly code: string }
  | { readonly state: "paired" }
  | { readonly state: "failed"; readonly reason: string };

/**
 * Lets a hub wait for an extension that asks to be paired. It waits as long as this is read, and at most for two minutes.
 * Ends after `paired` or `failed`.
 */
export async function* pairExtension(hub: FoundHub, signal?: AbortSignal): AsyncGenerator<PairingProgress> {
  const response = await openAuthorized(hub, "/v1/pairing", {
    method: "POST",
    ...(signal === undefined ? {} : { signal }),
  });
  response.setEncoding("utf8");
  const parser = new SseParser();
  try {
    let text = "";
    for await (const chunk of response as AsyncIterable<string>) {
      if (response.statusCode !== 200) text += chunk;
      else
        for (const data of parser.push(chunk)) {
          const progress = JSON.parse(data) as PairingProgress;
          yield progress;
          if (progress.state === "paired" || progress.state === "failed") return;
        }
    }
    if (response.statusCode !== 200) throw refusal({ status: response.statusCode ?? 0, text });
    throw new BridgeError("app_not_connected", `the hub at ${hub.url} ended before the extension was paired`);
  } finally {
    response.destroy();
  }
}

/** Reports whether popup and terminal both show this code. */
export async function answerPairing(hub: FoundHub, code: string, same: boolean): Promise<void> {
  const response = await requestAuthorized(hub, "/v1/pairing/answer", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code, same }),
  });
  if (response.status !== 200) throw refusal(response);
}
