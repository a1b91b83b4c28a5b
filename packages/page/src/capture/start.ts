import { isOn, type PageEngineOptions } from "../options.js";
import { captureConsole } from "./console.js";
import { captureDialogs, type DialogContext } from "./dialogs.js";
import { captureErrors } from "./errors.js";
import { hookFunction, type Unhook } from "./hook.js";
import { captureNavigation } from "./navigation.js";
import { captureFetch } from "./network/fetch.js";
import { type NetworkContext, NetworkReporter } from "./network/network-reporter.js";
import { captureSockets } from "./network/sockets.js";
import { captureXhr } from "./network/xhr.js";

/** Installs the hooks that are switched on. They belong in the page's own world. */
export function startCapture(
  options: PageEngineOptions,
  context: Omit<NetworkContext, "captureBodies"> & DialogContext,
): Unhook {
  const network = { ...context, captureBodies: isOn(options, "captureBodies") };
  const { window, masker, guard } = context;
  const unhooks: Unhook[] = [];
  const start = (on: boolean, install: () => Unhook): void => {
    if (!on) return;
    const unhook = guard.run(install);
    if (unhook) unhooks.push(unhook);
  };
  const captures = (["enableConsole", "enableErrors", "enableNetwork"] as const).some((name) =>
    isOn(options, name),
  );
  // What the app puts into a new root may be a password, and the next thing it does may be to log it.
  start(captures, () =>
    hookFunction(window.Element.prototype, "attachShadow", {
      call(original, self, args) {
        const root = Reflect.apply(original, self, args);
        guard.run(() => masker.expect(root as ShadowRoot));
        return root;
      },
    }),
  );
  start(isOn(options, "enableErrors"), () => captureErrors(context));
  start(isOn(options, "enableConsole"), () => captureConsole(context));
  start(isOn(options, "enableConsole"), () => captureDialogs(context));
  if (isOn(options, "enableNetwork")) {
    const reporter = new NetworkReporter(network);
    start(true, () => captureFetch(reporter));
    start(true, () => captureXhr(reporter));
    start(true, () => captureSockets(reporter));
  }
  start(isOn(options, "enableNavigation"), () => captureNavigation(context));
  return () => {
    for (const unhook of unhooks) guard.run(unhook);
  };
}
