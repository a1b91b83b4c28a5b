import type { ExtensionTab } from "@debug-bridge/protocol";
import { EXTENSION_MESSAGE_LIMITS } from "@debug-bridge/protocol";
import { decode, extensionCommandSchema } from "@debug-bridge/protocol/schemas";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { until } from "../../fixtures.js";
import { pairingKeyOf, proveAsExtension } from "../../support/chrome/pairing.js";

const EXTENSION_ORIGIN = "chrome-extension://dhgkdhddoldfhgcjghpeaeiocampnkcb";

export interface Received {
  readonly id?: number;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

export function tab(tabId: number, more: Partial<ExtensionTab> = {}): ExtensionTab {
  return {
    tabId,
    url: `http://shop.test/${tabId}`,
    title: `Tab ${tabId}`,
    targetId: `T${tabId}`,
    attached: false,
    status: "complete",
    ...more,
  };
}

/** A paired extension that knows only the wire: it lists the tabs it is given and answers as it is asked to. */
export class FakeExtension {
  readonly received: Received[] = [];
  readonly invalid: string[] = [];
  /** Answers by method of the wire, and for `cdpCommand` by CDP method; a string is an error. */
  answers: Record<string, (params: Record<string, unknown>) => unknown> = {};
  /** What is not answered at all. */
  silent = new Set<string>();

  private constructor(
    readonly socket: WebSocket,
    public tabs: ExtensionTab[],
  ) {}

  static async connect(
    relayUrl: string,
    tabs: ExtensionTab[] = [tab(1)],
    options: { origin?: string; instance?: string; host?: string } = {},
  ): Promise<FakeExtension> {
    const query = options.instance === undefined ? "" : `?instance=${options.instance}`;
    const socket = new WebSocket(`${relayUrl}/extension${query}`, {
      origin: options.origin ?? EXTENSION_ORIGIN,
      ...(options.host ? { headers: { host: options.host } } : {}),
    });
    const extension = new FakeExtension(socket, tabs);
    onTestFinished(() => socket.terminate());
    await new Promise<void>((resolve, reject) => {
      socket.once("open", () => resolve());
      socket.once("unexpected-response", (_request, response) =>
        reject(new Error(`HTTP ${response.statusCode}`)),
      );
      socket.once("error", reject);
    });
    await proveAsExtension(socket, "relay", pairingKeyOf(relayUrl));
    socket.on("message", (data) => extension.take(String(data)));
    extension.send({ method: "hello", params: { userAgent: "Test Chrome", product: "Chrome/156.0.1.2" } });
    await until(() => extension.received.some(({ method }) => method === "listTabs"));
    return extension;
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  event(tabId: number, method: string, params: object, childSessionId?: string): void {
    this.send({
      method: "cdpEvent",
      params: { tabId, ...(childSessionId ? { childSessionId } : {}), method, params },
    });
  }

  /** The CDP commands for a tab, by name. */
  cdp(tabId?: number): string[] {
    return this.received
      .filter(
        ({ method, params }) => method === "cdpCommand" && (tabId === undefined || params.tabId === tabId),
      )
      .map(({ params }) => String(params.method));
  }

  count(method: string): number {
    return this.received.filter((each) => each.method === method).length;
  }

  private take(text: string): void {
    const decoded = decode(extensionCommandSchema, text, EXTENSION_MESSAGE_LIMITS);
    if (!decoded.ok) this.invalid.push(`${text}: ${decoded.error.message}`);
    const { params = {}, ...rest } = JSON.parse(text) as Partial<Received> & { method: string };
    const message: Received = { ...rest, params };
    this.received.push(message);
    const { id, method } = message;
    if (method === "ping") this.send({ method: "pong" });
    if (id === undefined) return;
    const name = method === "cdpCommand" ? String(params.method) : method;
    if (this.silent.has(name)) return;
    const answer = (this.answers[name] ?? DEFAULTS[name])?.call(this, params);
    if (typeof answer === "string") this.send({ id, error: answer });
    else this.send({ id, result: answer ?? (method === "listTabs" ? this.tabs : {}) });
  }
}

const DEFAULTS: Record<string, (this: FakeExtension, params: Record<string, unknown>) => unknown> = {
  listTabs() {
    return this.tabs;
  },
  createTab: ({ url }) => tab(77, { url: String(url), attached: true }),
  "Page.getFrameTree": ({ tabId }) => ({
    frameTree: { frame: { id: `T${tabId}`, loaderId: "L1", url: `http://shop.test/${tabId}` } },
  }),
  "Runtime.enable"({ tabId }) {
    this.event(Number(tabId), "Runtime.executionContextCreated", {
      context: {
        id: 3,
        origin: "http://shop.test",
        name: "",
        uniqueId: "u3",
        auxData: { isDefault: true, type: "default", frameId: `T${tabId}` },
      },
    });
    return {};
  },
  "Runtime.evaluate": ({ params }) => ({
    result: { type: "string", value: JSON.stringify(params) },
  }),
  "Page.addScriptToEvaluateOnNewDocument": () => ({ identifier: "9" }),
};
