import { isOn, type PageEngineOptions } from "../options.js";
import { isElement } from "../view/elements/dom.js";
import { isUsing } from "../view/elements/reacting.js";
import { captureConsole } from "./console.js";
import { captureDialogs, type DialogContext } from "./dialogs.js";
import { captureErrors } from "./errors.js";
import { hookFunction, type Unhook } from "./hook.js";
import { captureNavigation } from "./navigation.js";
import { captureFetch } from "./network/fetch.js";
import { type NetworkContext, NetworkReporter } from "./network/network-reporter.js";
import { captureSockets } from "./network/sockets.js";
import { captureXhr } from "./network/xhr.js";

/** Elements with listeners by which they are used, as they were added; of more than `MAX_LISTENERS` not all are known. */
export type Listening = WeakMap<Element, unknown[][]>;
export const MAX_LISTENERS = 8;

/** Installs the hooks that are switched on. They belong in the page's own world. */
export function startCapture(
  options: PageEngineOptions,
  context: NetworkContext & DialogContext & { readonly listening: Listening },
): Unhook {
  const { window, masker, guard, listening } = context;
  const unhooks: Unhook[] = [];
  const start = (on: boolean, install: () => Unhook): void => {
    if (!on) return;
    const unhook = guard.run(install);
    if (unhook) unhooks.push(unhook);
  };
  start(isOn(options, "enableErrors"), () => captureErrors(context));
  start(isOn(options, "enableConsole"), () => captureConsole(context));
  start(isOn(options, "enableConsole"), () => captureDialogs(context));
  if (isOn(options, "enableNetwork")) {
    const reporter = new NetworkReporter(context, options);
    start(true, () => captureFetch(reporter));
    start(true, () => captureXhr(reporter));
    start(true, () => captureSockets(reporter));
  }
  start(isOn(options, "enableNavigation"), () => captureNavigation(context));
  const follow = <Owner extends object>(
    owner: Owner,
    key: keyof Owner & string,
    after: (self: unknown, args: unknown[], result: unknown) => void,
  ): void =>
    // Only where something else is captured.
    start(unhooks.length > 0, () =>
      hookFunction(owner, key, {
        call(original, self, args) {
          const result = Reflect.apply(original, self, args);
          guard.run(() => after(self, args, result));
          return result;
        },
      }),
    );
  // What the app puts into a new root may be a password, and the next thing it does may be to log it.
  follow(window.Element.prototype, "attachShadow", (_self, _args, root) => masker.expect(root as ShadowRoot));
  follow(window.EventTarget.prototype, "addEventListener", (self, args) => {
    if (!isElement(self) || !isUsing(args[0] as string)) return;
    const known = listening.get(self) ?? [];
    listening.set(self, known);
    if (known.length <= MAX_LISTENERS) known.push(args);
  });
  return () => {
    for (const unhook of unhooks) guard.run(unhook);
  };
}
