import { natives } from "../natives.js";
import { hookFunction, type Unhook } from "./hook.js";
import { bytesOf, elapsed, type NetworkReporter } from "./network-reporter.js";

/** Reports `XMLHttpRequest`. */
export function captureXhr(reporter: NetworkReporter): Unhook {
  const { window, guard } = reporter.context;
  const opened = new WeakMap<XMLHttpRequest, { method: string; url: string }>();
  const { prototype } = window.XMLHttpRequest;

  const watch = (xhr: XMLHttpRequest, body: unknown): void => {
    const asked = opened.get(xhr);
    if (!asked) return;
    const base = { id: reporter.id(), api: "xhr", ...asked } as const;
    const begun = natives.now();
    reporter.report({ ...base, phase: "request", ...bytesOf(body), ...reporter.body(body) });
    let reason = "";
    for (const type of ["error", "timeout", "abort"])
      xhr.addEventListener(type, () => (reason = type), { once: true });
    xhr.addEventListener(
      "loadend",
      guard.wrap(() => {
        if (reason)
          return reporter.report({
            ...base,
            phase: "failed",
            status: 0,
            durationMs: elapsed(begun),
            error: reason,
          });
        const text = xhr.responseType === "" || xhr.responseType === "text" ? xhr.responseText : undefined;
        const { response } = xhr;
        const size =
          text?.length ?? (response as ArrayBuffer | null)?.byteLength ?? (response as Blob | null)?.size;
        reporter.report({
          ...base,
          phase: "response",
          status: xhr.status,
          ...(xhr.statusText ? { statusText: xhr.statusText } : {}),
          durationMs: elapsed(begun),
          ...(typeof size === "number" ? { responseBytes: size } : {}),
          ...reporter.body(text ?? (xhr.responseType === "json" ? natives.stringify(response) : undefined)),
        });
      }),
      { once: true },
    );
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
