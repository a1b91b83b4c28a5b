import { isOn, type PageEngineOptions } from "../options.js";
import { captureConsole } from "./console.js";
import { captureErrors } from "./errors.js";
import { captureFetch } from "./fetch.js";
import type { Unhook } from "./hook.js";
import { captureNavigation } from "./navigation.js";
import { type NetworkContext, NetworkReporter } from "./network-reporter.js";
import { captureSockets } from "./sockets.js";
import { captureVitals } from "./vitals.js";
import { captureXhr } from "./xhr.js";

/** Installs the hooks that are switched on. They belong in the page's own world. */
export function startCapture(
  options: PageEngineOptions,
  context: Omit<NetworkContext, "captureBodies">,
): Unhook {
  const network = { ...context, captureBodies: isOn(options, "captureBodies") };
  const unhooks: Unhook[] = [];
  const start = (on: boolean, install: () => Unhook): void => {
    if (!on) return;
    const unhook = context.guard.run(install);
    if (unhook) unhooks.push(unhook);
  };
  start(isOn(options, "enableErrors"), () => captureErrors(context));
  start(isOn(options, "enableConsole"), () => captureConsole(context));
  if (isOn(options, "enableNetwork")) {
    const reporter = new NetworkReporter(network);
    start(true, () => captureFetch(reporter));
    start(true, () => captureXhr(reporter));
    start(true, () => captureSockets(reporter));
  }
  start(isOn(options, "enableNavigation"), () => captureNavigation(context));
  start(isOn(options, "enableVitals"), () => captureVitals(context));
  return () => {
    for (const unhook of unhooks) context.guard.run(unhook);
  };
}
