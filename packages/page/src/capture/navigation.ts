import type { BodyOf } from "../telemetry.js";
import type { CaptureContext } from "./context.js";
import { hookFunction, type Unhook } from "./hook.js";

type Kind = BodyOf<"navigation">["kind"];

/** Reports every change of the URL: loads, the history API, hashes, and leaving. */
export function captureNavigation({ window, emit, guard, masker }: CaptureContext): Unhook {
  let here = window.location.href;
  const report = (kind: Kind, to = window.location.href, from = here): void => {
    here = to;
    const { title } = window.document;
    emit({
      type: "navigation",
      from: masker.url(from),
      to: masker.url(to),
      kind,
      ...(title ? { title: masker.text(title).slice(0, 500) } : {}),
    });
  };
  const listeners: [string, (event: Event) => void][] = [
    // A change of only the hash also fires popstate; hashchange is more precise.
    ["hashchange", guard.wrap(() => report("hash"))],
    [
      "popstate",
      guard.wrap(() => {
        if (window.location.href !== here && !differsInHashOnly(here, window.location.href)) report("pop");
      }),
    ],
    ["pagehide", guard.wrap(() => report("unload"))],
  ];
  for (const [type, listener] of listeners) window.addEventListener(type, listener);
  const unhooks = (["pushState", "replaceState"] as const).map((method) =>
    hookFunction(window.history, method, {
      call(original, self, args) {
        const result = Reflect.apply(original, self, args);
        guard.run(() => {
          if (window.location.href !== here) report(method === "pushState" ? "push" : "replace");
        });
        return result;
      },
    }),
  );
  guard.run(() => report("load", here, window.document.referrer));
  return () => {
    for (const [type, listener] of listeners) window.removeEventListener(type, listener);
    for (const unhook of unhooks) unhook();
  };
}

function differsInHashOnly(from: string, to: string): boolean {
  return from.split("#")[0] === to.split("#")[0];
}
