import type { TelemetryBody } from "@debug-bridge/driver";
import { type DialectMessage, type DialectMessageOf, FIELD_LIMITS, truncate } from "@debug-bridge/protocol";
import { maskState, maskTelemetry, maskText } from "./masking.js";

/** The attribute in which the SDK keeps the ids of elements. Setting it is no change of the page. */
const OWN_ATTRIBUTE = "data-debug-bridge-id";
/** Requests whose response is still to come. */
const MAX_REQUESTS = 1_000;
const MAX_NODES = 1_000;
/** Room for the note that says how much was cut. */
const NOTE = 100;

const KINDS = {
  initial: "load",
  pushstate: "push",
  replacestate: "replace",
  popstate: "pop",
  hashchange: "hash",
} as const;

type Request = DialectMessageOf<"network_request">;

/** Translates what the page reports by itself. */
export class DialectTelemetry {
  private url = "";
  private readonly requests = new Map<string, Request>();

  /** The message in our words; `undefined` if it says nothing, or is an answer. */
  translate(message: DialectMessage): TelemetryBody | undefined {
    const body = this.body(message);
    return body && maskTelemetry(body);
  }

  private body(message: DialectMessage): TelemetryBody | undefined {
    switch (message.type) {
      case "hello": {
        const { url, userAgent, appName, appVersion } = message;
        this.url = url;
        return { type: "hello", protocolVersion: 1, url: maskText(url), userAgent, appName, appVersion };
      }
      case "capabilities":
        return { type: "capabilities", protocolVersion: 1, capabilities: message.capabilities };
      case "dom_snapshot":
        return snapshot(message.html);
      case "dom_mutations":
        return mutations(message);
      case "console": {
        const { level, args } = message;
        const texts = args.map((arg) => truncate(arg ?? "undefined", FIELD_LIMITS.text - NOTE));
        return {
          type: "console",
          args: texts,
          ...(level === "debug" ? { level: "log", method: "debug" } : { level }),
        };
      }
      case "error":
        return thrown(message);
      case "state_update":
        return { type: "state_update", scope: message.scope, state: maskState(message.scope, message.state) };
      case "navigation": {
        const from = message.previousUrl ?? (message.trigger === "initial" ? "" : this.url);
        this.url = message.url;
        return { type: "navigation", from, to: message.url, kind: KINDS[message.trigger] };
      }
      case "network_request":
        return this.request(message);
      case "network_response":
        return this.response(message);
      default:
        return undefined;
    }
  }

  private request(message: Request): TelemetryBody {
    this.requests.set(message.requestId, message);
    const [oldest] = this.requests.keys();
    if (this.requests.size > MAX_REQUESTS && oldest !== undefined) this.requests.delete(oldest);
    return { type: "network", phase: "request", ...this.about(message) };
  }

  private response({ requestId, status, statusText, duration }: DialectMessageOf<"network_response">) {
    const request = this.requests.get(requestId);
    this.requests.delete(requestId);
    if (!request) return undefined;
    const took = duration === undefined ? {} : { durationMs: duration };
    const body = { type: "network" as const, ...this.about(request), ...took };
    return status === 0
      ? { ...body, phase: "failed" as const, error: statusText ?? "no response" }
      : { ...body, phase: "response" as const, status, ...(statusText ? { statusText } : {}) };
  }

  private about({ requestId, method, url, initiator }: Request) {
    return {
      id: requestId,
      api: initiator ?? ("other" as const),
      method: method.toUpperCase(),
      url: this.absolute(url),
    };
  }

  private absolute(url: string): string {
    return URL.canParse(url, this.url) ? new URL(url, this.url).href : url;
  }
}

function snapshot(html: string): TelemetryBody {
  const isLong = html.length > FIELD_LIMITS.blob;
  return {
    type: "dom_snapshot",
    html: maskText(isLong ? html.slice(0, FIELD_LIMITS.blob) : html).slice(0, FIELD_LIMITS.blob),
    ...(isLong ? { truncated: true } : {}),
  };
}

function mutations({ mutations: all }: DialectMessageOf<"dom_mutations">): TelemetryBody | undefined {
  const seen = all.filter(({ attributeName }) => attributeName !== OWN_ATTRIBUTE);
  if (seen.length === 0) return undefined;
  return {
    type: "dom_mutations",
    mutations: seen.slice(0, FIELD_LIMITS.mutations).map((mutation) => ({
      ...mutation,
      targetSelector: mutation.targetSelector.slice(0, FIELD_LIMITS.line),
      addedNodes: mutation.addedNodes?.slice(0, MAX_NODES).map(nodeText),
      removedNodes: mutation.removedNodes?.slice(0, MAX_NODES).map(nodeText),
    })),
    ...(seen.length > FIELD_LIMITS.mutations ? { truncated: true } : {}),
  };
}

type MutatedNode = NonNullable<DialectMessageOf<"dom_mutations">["mutations"][number]["addedNodes"]>[number];

function nodeText({ html, tagName, type }: MutatedNode): string {
  return html === undefined
    ? tagName === undefined
      ? `(${type ?? "node"})`
      : `<${tagName}>`
    : maskText(html);
}

function thrown({ errorType, message, stack, ...place }: DialectMessageOf<"error">): TelemetryBody {
  const { filename, lineno, colno } = place;
  const text = message === undefined ? undefined : truncate(message, FIELD_LIMITS.text - NOTE);
  const frames = typeof stack === "string" ? { stack: truncate(stack, FIELD_LIMITS.text - NOTE) } : {};
  return errorType === "runtime"
    ? { type: "error", message: text, filename, lineno, colno, ...frames }
    : { type: "unhandledrejection", reason: text, ...frames };
}
