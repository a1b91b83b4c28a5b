import { describe, expect, it } from "vitest";
import { BridgeError, type ErrorBody, errorFromBody } from "../errors.js";
import { Peer } from "./peer.js";
import type { Incoming, PeerHandlers, WireForm } from "./responder.js";
import { linkedPair } from "./transport.js";

interface Call {
  readonly method: string;
  readonly params?: unknown;
}

interface Frame extends Partial<Call> {
  readonly id: string;
  readonly result?: unknown;
  readonly error?: ErrorBody;
}

/** The smallest wire that has requests, replies and failures. */
function callForm(): WireForm<Call, unknown, never> {
  return {
    read(data): Incoming<Call, unknown, never> {
      const frame = JSON.parse(data) as Frame | null;
      if (frame === null) throw new BridgeError("invalid_message", "a message is an object");
      const { id, error } = frame;
      if (frame.method !== undefined) return { kind: "request", id, body: frame as Call };
      if (error) return { kind: "failure", id, error: errorFromBody(error) };
      return { kind: "reply", id, reply: frame.result };
    },
    request: (id, body) => ({ id, ...body }),
    reply: (id, _body, result) => ({ id, result }),
    failure: (id, _body, error) => ({ id, error: error.toBody() }),
  };
}

type Handlers = PeerHandlers<never, unknown, never>;

function connected(onRequest: (body: { method: string }, signal: AbortSignal) => unknown) {
  const [left, right] = linkedPair();
  const asker = new Peer(left, callForm());
  const answerer = new Peer(right, callForm(), { onRequest } as unknown as Handlers);
  return { asker, answerer, left, right };
}

const listTabs = { method: "listTabs" } as const;

describe("a peer", () => {
  it("gets the reply to its own request, whatever the order of answers", async () => {
    const gates: (() => void)[] = [];
    const { asker } = connected(({ method }) => new Promise((resolve) => gates.push(() => resolve(method))));
    const first = asker.request(listTabs);
    const second = asker.request({ method: "detachTab", params: { tabId: 1 } });
    while (gates.length < 2) await new Promise((resolve) => setImmediate(resolve));
    for (const open of gates.reverse()) open();
    expect(await first).toBe("listTabs");
    expect(await second).toBe("detachTab");
    expect(asker.pending).toBe(0);
  });

  it("passes a typed error through the wire with its code", async () => {
    const { asker } = connected(() => {
      throw new BridgeError("not_supported", "this page is restricted");
    });
    await expect(asker.request(listTabs)).rejects.toMatchObject({
      code: "not_supported",
      message: "this page is restricted",
    });
  });

  it("answers a thrown value of any kind as an internal error", async () => {
    const { asker } = connected(() => {
      throw "text";
    });
    await expect(asker.request(listTabs)).rejects.toMatchObject({ code: "internal", message: "text" });
  });

  it("ends a request after its timeout and forgets it", async () => {
    const { asker } = connected(() => new Promise(() => {}));
    await expect(asker.request(listTabs, { timeoutMs: 5 })).rejects.toMatchObject({ code: "timeout" });
    expect(asker.pending).toBe(0);
  });

  it("ends a request when its signal aborts, including when it was aborted before", async () => {
    const { asker } = connected(() => new Promise(() => {}));
    const controller = new AbortController();
    const request = asker.request(listTabs, { signal: controller.signal });
    controller.abort();
    await expect(request).rejects.toMatchObject({ code: "cancelled" });
    await expect(asker.request(listTabs, { signal: controller.signal })).rejects.toMatchObject({
      code: "cancelled",
    });
  });

  it("reports an unknown outcome when the other side disconnects before it answered [ARC-059]", async () => {
    const { asker, right } = connected(() => new Promise(() => {}));
    const request = asker.request(listTabs);
    right.close("gone");
    await expect(request).rejects.toMatchObject({ code: "outcome_unknown" });
    await expect(asker.request(listTabs)).rejects.toMatchObject({ code: "app_not_connected" });
  });

  it("aborts the request that it runs when the sender disconnects", async () => {
    let signal: AbortSignal | undefined;
    const { asker, left } = connected((_body, given) => {
      signal = given;
      return new Promise(() => {});
    });
    const request = asker.request(listTabs).catch(() => {});
    while (!signal) await new Promise((resolve) => setImmediate(resolve));
    left.close();
    await request;
    await new Promise((resolve) => setImmediate(resolve));
    expect(signal.aborted).toBe(true);
  });

  it("reports frames that the wire does not allow, and continues", async () => {
    const [left, right] = linkedPair();
    const invalid: BridgeError[] = [];
    new Peer(right, callForm(), { onInvalid: (error) => invalid.push(error), onRequest: () => "fine" });
    const asker = new Peer(left, callForm());
    left.send("{not json");
    left.send("null");
    left.send('{"id":99,"result":{}}');
    expect(await asker.request(listTabs)).toBe("fine");
    expect(invalid.map(({ code }) => code)).toEqual([
      "invalid_message",
      "invalid_message",
      "invalid_message",
    ]);
  });
});
