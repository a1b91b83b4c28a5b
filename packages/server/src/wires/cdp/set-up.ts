import type { Params } from "./messages.js";

export interface SetUpCommand {
  readonly method: string;
  readonly params: Params;
  /** The id that the client was given for a script of its own. */
  readonly scriptId?: string;
}

/** Commands that only prepare a page: they can be answered before there is a debugger and sent once there is one. */
const PREPARING = new Set(
  `
  Page.enable Page.disable Page.setLifecycleEventsEnabled Page.setInterceptFileChooserDialog Page.setBypassCSP
  Page.setFontFamilies Page.setFontSizes Page.setAdBlockingEnabled Page.setPrerenderingAllowed
  Runtime.enable Runtime.disable Runtime.addBinding Runtime.removeBinding Runtime.setAsyncCallStackDepth
  Runtime.setCustomObjectFormatterEnabled Runtime.setMaxCallStackSizeToCapture
  Log.enable Log.disable Log.startViolationsReport Log.stopViolationsReport
  Network.enable Network.disable Network.setCacheDisabled Network.setExtraHTTPHeaders
  Network.setBypassServiceWorker Network.setUserAgentOverride Network.emulateNetworkConditions
  Network.emulateNetworkConditionsByRule Network.overrideNetworkState Network.setBlockedURLs
  Network.setAttachDebugStack Network.enableReportingApi Network.setAcceptedEncodings
  Network.clearAcceptedEncodingsOverride
  Fetch.enable Fetch.disable
  Performance.enable Performance.disable Performance.setTimeDomain
  Audits.enable Audits.disable WebMCP.enable WebMCP.disable Inspector.enable Inspector.disable
  DOM.enable DOM.disable Accessibility.enable Accessibility.disable
  Security.enable Security.disable Security.setIgnoreCertificateErrors ServiceWorker.enable ServiceWorker.disable
  Input.setIgnoreInputEvents Input.setInterceptDrags
  `
    .trim()
    .split(/\s+/),
);
const EMULATION = /^Emulation\.(set(?!VirtualTimePolicy)|clear|reset)/;

export function isPreparing(method: string): boolean {
  return PREPARING.has(method) || EMULATION.test(method);
}

/** What a client has set up on a page, in order, each thing once: enough to set it up again. */
export class SetUp {
  private readonly commands = new Map<string, SetUpCommand>();

  note(method: string, params: Params): void {
    const [domain, verb] = method.split(".");
    if (verb === "disable") {
      this.commands.delete(`${domain}.enable`);
      return;
    }
    if (method === "Runtime.removeBinding") {
      for (const [key, { params: bound }] of this.commands)
        if (key.startsWith("Runtime.addBinding ") && bound.name === params.name) this.commands.delete(key);
      return;
    }
    const key =
      method === "Runtime.addBinding"
        ? `${method} ${JSON.stringify([params.name, params.executionContextName])}`
        : method;
    this.commands.delete(key);
    this.commands.set(key, { method, params });
  }

  noteScript(scriptId: string, params: Params): void {
    this.commands.set(`script ${scriptId}`, {
      method: "Page.addScriptToEvaluateOnNewDocument",
      params,
      scriptId,
    });
  }

  forgetScript(scriptId: string): void {
    this.commands.delete(`script ${scriptId}`);
  }

  has(method: string): boolean {
    return this.commands.has(method);
  }

  get(method: string): SetUpCommand | undefined {
    return this.commands.get(method);
  }

  all(): SetUpCommand[] {
    return [...this.commands.values()];
  }
}
