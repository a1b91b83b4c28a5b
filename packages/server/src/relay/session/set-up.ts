import type { Params } from "../wire/messages.js";

export interface SetUpCommand {
  readonly method: string;
  readonly params: Params;
  /** The id that the client got for one of its scripts. */
  readonly scriptId?: string;
}

/** Commands that only prepare a page: they are answered before a debugger is attached and sent once it is. */
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
  /** Domains that the client has enabled. */
  readonly domains = new Set<string>();
  readonly bindings = new Set<string>();
  /** Names of isolated worlds that every frame is to have. */
  readonly worlds = new Set<string>();
  /** The client's names of worlds and Chrome's (see world-names.ts). */
  readonly worldNames = new Map<string, string>();
  /** The client's id of a script and Chrome's. */
  readonly scripts = new Map<string, string>();
  /** Whether the client wants lifecycle events. */
  lifecycle = false;
  private readonly commands = new Map<string, SetUpCommand>();

  record(method: string, params: Params): void {
    const [domain = "", verb] = method.split(".");
    if (verb === "enable") this.domains.add(domain);
    if (verb === "disable") {
      this.domains.delete(domain);
      this.commands.delete(`${domain}.enable`);
      return;
    }
    if (method === "Page.setLifecycleEventsEnabled") this.lifecycle = params.enabled === true;
    if (method === "Runtime.addBinding") this.bindings.add(String(params.name));
    if (method === "Runtime.removeBinding") {
      this.bindings.delete(String(params.name));
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

  recordScript(scriptId: string, params: Params): void {
    this.commands.set(`script ${scriptId}`, {
      method: "Page.addScriptToEvaluateOnNewDocument",
      params,
      scriptId,
    });
  }

  removeScript(scriptId: string): void {
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
