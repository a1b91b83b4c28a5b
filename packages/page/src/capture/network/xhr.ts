import { platform } from "../../inert/platform.js";
import { hookFunction, type Unhook, unhookAll } from "../hook.js";
import type { NetworkReporter, Running } from "./network-reporter.js";

/** Reports `XMLHttpRequest`. */
export function captureXhr(reporter: NetworkReporter): Unhook {
  const { window, guard } = reporter.context;
  const opened = new WeakMap<XMLHttpRequest, { method: string; url: string }>();
  const { prototype } = window.XMLHttpRequest;

  const running = new WeakMap<XMLHttpRequest, Running>();
  /** An object that is used again has its listeners already. */
  const observed = new WeakSet<XMLHttpRequest>();

  const watch = (xhr: XMLHttpRequest, body: unknown): void => {
    const asked = opened.get(xhr);
    // Without opening it again, sending it again is refused.
    opened.delete(xhr);
    if (!asked) return;
    if (!observed.has(xhr)) listen(xhr);
    observed.add(xhr);
    running.set(xhr, reporter.send({ api: "xhr", ...asked }, body, xhr));
  };

  /** In the capture phase, which runs first: the app may reuse the object in its own listener. */
  const listen = (xhr: XMLHttpRequest): void => {
    for (const type of ["load", "error", "timeout", "abort"])
      xhr.addEventListener(
        type,
        guard.wrap(() => ended(xhr, type)),
        true,
      );
  };

  const ended = (xhr: XMLHttpRequest, how: string): void => {
    const run = running.get(xhr);
    if (!run) return;
    running.delete(xhr);
    if (how !== "load") {
      reporter.failed(run, how);
      return;
    }
    const text = xhr.responseType === "" || xhr.responseType === "text" ? xhr.responseText : undefined;
    const { response } = xhr;
    const size =
      text?.length ?? (response as ArrayBuffer | null)?.byteLength ?? (response as Blob | null)?.size;
    reporter.answered(
      run,
      xhr,
      size,
      reporter.body(text ?? (xhr.responseType === "json" ? platform.stringify(response) : undefined)),
    );
  };

  const unhooks = [
    hookFunction(prototype, "open", {
      call(original, self, args) {
        const result = Reflect.apply(original, self, args);
        guard.run(() => {
          const xhr = self as XMLHttpRequest;
          // Its last request has ended, and no event reports that.
          ended(xhr, "abort");
          opened.set(xhr, { method: String(args[0]).toUpperCase(), url: String(args[1]) });
        });
        return result;
      },
    }),
    hookFunction(prototype, "send", {
      call(original, self, args) {
        const xhr = self as XMLHttpRequest;
        const isNew = opened.has(xhr);
        guard.run(() => watch(xhr, args[0]));
        try {
          return Reflect.apply(original, self, args);
        } catch (thrown) {
          // A request that is not asynchronous reports its failure in no other way.
          if (isNew) guard.run(() => ended(xhr, "error"));
          throw thrown;
        }
      },
    }),
  ];
  return unhookAll(unhooks);
}
