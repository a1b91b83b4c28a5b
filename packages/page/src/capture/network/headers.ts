import { maskHeaders } from "../../privacy/mask-headers.js";
import { hookFunction, type Unhook } from "../hook.js";
import type { TelemetryCapture } from "../telemetry-capture.js";
import type { NetworkOptions } from "./network-reporter.js";

/** When a request or an answer has more headers, the first ones are kept. */
const MAX_HEADERS = 100;
const MAX_LENGTH = 16_384;

type Pairs = readonly (readonly string[])[];

/**
 * Adds headers to what is reported of requests: those that the app sets, and those of the answer that the browser lets the
 * page read. What the browser adds itself, no page can know.
 */
export function keepHeaders({ window, guard, masker, options }: TelemetryCapture): Unhook {
  /** An XMLHttpRequest does not expose what was set. */
  const sent = new WeakMap<object, string[][]>();
  const headersOf: NetworkOptions["headersOf"] = (source) =>
    guard.run(() => {
      const pairs = Array.isArray(source)
        ? ofFetch(source[0] as Request, source[1] as RequestInit | undefined)
        : source instanceof window.XMLHttpRequest
          ? source.readyState === 1
            ? sent.get(source)
            : ofAnswer(source.getAllResponseHeaders())
          : [...((source as Response | undefined)?.headers ?? [])];
      return pairs?.length ? { headers: maskHeaders(joined(pairs), masker) } : undefined;
    });
  const prototype = window.XMLHttpRequest.prototype;
  const unhooks = [
    hookFunction(prototype, "open", {
      call(original, self, args) {
        const result = Reflect.apply(original, self, args);
        sent.delete(self as object);
        return result;
      },
    }),
    hookFunction(prototype, "setRequestHeader", {
      call(original, self, args) {
        const result = Reflect.apply(original, self, args);
        guard.run(() => sent.set(self as object, [...(sent.get(self as object) ?? []), args.map(String)]));
        return result;
      },
    }),
  ];
  const hooked = options as { headersOf?: NetworkOptions["headersOf"] };
  hooked.headersOf = headersOf;
  return () => {
    hooked.headersOf = undefined;
    for (const unhook of unhooks) guard.run(unhook);
  };

  function ofFetch(input: Request, init: RequestInit | undefined): Pairs {
    const given = init?.headers ?? (input instanceof window.Request ? input.headers : undefined);
    // Something else that can be read only once is the app's alone.
    if (given instanceof window.Headers || Array.isArray(given)) return [...given];
    return typeof given === "object" && !(Symbol.iterator in given) ? Object.entries(given) : [];
  }
}

const ofAnswer = (text: string): Pairs =>
  text.split("\r\n").flatMap((line) => {
    const at = line.indexOf(": ");
    return at > 0 ? [[line.slice(0, at), line.slice(at + 2)]] : [];
  });

/** Several of one name are one, as in a list of the browser. */
function joined(pairs: Pairs): Record<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of pairs.slice(0, MAX_HEADERS)) {
    const key = String(name).toLowerCase();
    const before = found.get(key);
    found.set(key, (before === undefined ? "" : `${before}, `) + String(value).slice(0, MAX_LENGTH));
  }
  return Object.fromEntries(found);
}
