import { natives } from "../natives.js";
import { hookFunction, type Unhook } from "./hook.js";
import { bytesOf, elapsed, type NetworkReporter } from "./network-reporter.js";

interface Running {
  readonly base: { id: string; api: "xhr"; method: string; url: string };
  readonly begun: number;
}

/** Reports `XMLHttpRequest`. */
export function captureXhr(reporter: NetworkReporter): Unhook {
  const { window, guard } = reporter.context;
  const opened = new WeakMap<XMLHttpRequest, { method: string; url: string }>();
  const { prototype } = window.XMLHttpRequest;

  const running = new WeakMap<XMLHttpRequest, Running>();

  const watch = (xhr: XMLHttpRequest, body: unknown): void => {
    const asked = opened.get(xhr);
    if (!asked) return;
    const base = { id: reporter.id(), api: "xhr", ...asked } as const;
    // An object that is used again has its listeners already.
    if (!running.has(xhr)) listen(xhr);
    running.set(xhr, { base, begun: natives.now() });
    reporter.report({ ...base, phase: "request", ...bytesOf(body), ...reporter.body(body) });
  };

  /** In the capture phase, which comes first: in a listener of its own the app may use the object again. */
  const listen = (xhr: XMLHttpRequest): void => {
    for (const type of ["load", "error", "timeout", "abort"])
      xhr.addEventListener(
        type,
        guard.wrap(() => {
          const run = running.get(xhr);
          if (run) ended(xhr, run, type);
        }),
        true,
      );
  };

  const ended = (xhr: XMLHttpRequest, { base, begun }: Running, how: string): void => {
    const durationMs = elapsed(begun);
    if (how !== "load") {
      reporter.report({ ...base, phase: "failed", status: 0, durationMs, error: how });
      return;
    }
    const text = xhr.responseType === "" || xhr.responseType === "text" ? xhr.responseText : undefined;
    const { response } = xhr;
    const size =
      text?.length ?? (response as ArrayBuffer | null)?.byteLength ?? (response as Blob | null)?.size;
    reporter.report({
      ...base,
      phase: "response",
      status: xhr.status,
      ...(xhr.statusText ? { statusText: xhr.statusText } : {}),
      durationMs,
      ...(typeof size === "number" ? { responseBytes: size } : {}),
      ...reporter.body(text ?? (xhr.responseType === "json" ? natives.stringify(response) : undefined)),
    });
  };

  const unhooks = [
    hookFunction(prototype, "open", {
      call(original, self, args) {
        guard.run(() =>
          opened.set(self as XMLHttpRequest, { method: String(args[0]).toUpperCase(), url: String(args[1]) }),
        );
        return Reflect.apply(original, self, args);
      },
    }),
    hookFunction(prototype, "send", {
      call(original, self, args) {
        guard.run(() => watch(self as XMLHttpRequest, args[0]));
        return Reflect.apply(original, self, args);
      },
    }),
  ];
  return () => {
    for (const unhook of unhooks) unhook();
  };
}
