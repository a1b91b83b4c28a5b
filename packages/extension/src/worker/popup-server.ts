/// <reference types="chrome" />
import type { ConnectionManager } from "../connection/manager.js";
import type { CodePairing } from "../connection/pairing.js";
import type { ConsoleWire } from "../console/console-wire.js";
import type { EventForwarder } from "../console/event-forwarder.js";
import type { DebuggerService } from "../debugger/service.js";
import { pickForAgents } from "../picking/pick-for-agents.js";
import type { PopupView } from "../popup/view.js";
import type { FromPopup } from "../port-messages.js";
import type { SettingsStore } from "../settings/store.js";

export interface PopupSources {
  readonly settings: SettingsStore;
  readonly connections: ConnectionManager;
  readonly pairing: CodePairing;
  readonly consoleWire: ConsoleWire;
  readonly forwarder: EventForwarder;
  readonly debuggerService: DebuggerService;
}

/** Sends the worker's state to open popups, and applies what the person changes there. */
export class PopupServer {
  /** The open popups, each with the number of its last change that is stored. */
  private readonly ports = new Map<chrome.runtime.Port, number>();
  private sending: "no" | "yes" | "again" = "no";
  private picks: { readonly started: number; readonly problem?: string } = { started: 0 };

  constructor(
    private readonly sources: PopupSources,
    private readonly removePermission: (sites: string[]) => Promise<unknown>,
  ) {}

  accept(port: chrome.runtime.Port): void {
    this.ports.set(port, 0);
    port.onDisconnect.addListener(() => this.ports.delete(port));
    port.onMessage.addListener((message: FromPopup) => void this.apply(message, port));
    this.broadcast();
  }

  /** Sends the current state to every popup. Calls during a broadcast lead to one more. */
  broadcast(): void {
    if (this.ports.size === 0) return;
    if (this.sending !== "no") {
      this.sending = "again";
      return;
    }
    this.sending = "yes";
    void this.send().finally(() => {
      const isOutdated = this.sending === "again";
      this.sending = "no";
      if (isOutdated) this.broadcast();
    });
  }

  private async send(): Promise<void> {
    const { settings, debuggerService } = this.sources;
    await Promise.all([settings.loaded, debuggerService.loaded]);
    const view = this.view(await chrome.tabs.query({}));
    for (const [port, storedChange] of this.ports) port.postMessage({ ...view, storedChange });
  }

  /** Everything is read in one turn, so that no popup ever gets an older state after a newer one. */
  private view(tabs: readonly chrome.tabs.Tab[]): Omit<PopupView, "storedChange"> {
    const { settings, connections, consoleWire, forwarder, debuggerService } = this.sources;
    const captured = new Set(forwarder.documents.live().map(({ tabId }) => tabId));
    return {
      settings: settings.current,
      ...(settings.lastProblem ? { settingsProblem: settings.lastProblem } : {}),
      connections: connections.states,
      pairing: this.sources.pairing.state,
      ends: connections.ends,
      console: consoleWire.details,
      capturedTabs: [...forwarder.documents.tabs.values()]
        .filter(({ tabId }) => captured.has(tabId))
        .map(({ tabId, title, url }) => ({ tabId, title, url })),
      agentTabs: debuggerService.describeTabs(tabs),
      waiting: debuggerService.decisions.waiting,
      questions: debuggerService.decisions.questions,
      picks: this.picks,
      ...(debuggerService.dashboardUrl ? { dashboardUrl: debuggerService.dashboardUrl } : {}),
    };
  }

  /** Lets the person pick an element of a tab for agents. Returns whether they can; popups say why not. */
  async pick(tabId: number): Promise<boolean> {
    const { started } = this.picks;
    try {
      await pickForAgents(tabId, this.sources.debuggerService);
      this.picks = { started: started + 1 };
    } catch (thrown) {
      this.picks = { started, problem: thrown instanceof Error ? thrown.message : String(thrown) };
    }
    this.broadcast();
    return this.picks.problem === undefined;
  }

  private async apply(message: FromPopup, port: chrome.runtime.Port): Promise<void> {
    const { settings, connections, pairing, debuggerService } = this.sources;
    const { decisions } = debuggerService;
    await debuggerService.loaded;
    switch (message.kind) {
      case "pair":
        return pairing.start();
      case "pair-confirm":
        return pairing.confirm();
      case "pair-cancel":
        return pairing.cancel();
      case "retry":
        connections.retry();
        return;
      case "share":
        await decisions.share(message.tabId, message.access);
        return;
      case "stop":
        decisions.stop([message.tabId]);
        return;
      case "pick":
        await this.pick(message.tabId);
        return;
      case "stop-all":
        await debuggerService.stopAll();
        return;
      case "answer-waiting":
        await decisions.answerWaiting(message.answer, message.tabId);
        return;
      case "answer-grant":
        await decisions.answerGrant(message.id, message.allowed, message.remember);
        return;
      case "forget-client":
        await decisions.forgetClient(message.client);
        return;
      case "set": {
        await settings.set(message.set);
        const stored = this.ports.get(port);
        if (stored !== undefined) this.ports.set(port, Math.max(stored, message.number));
        const { removeSite } = message.set;
        if (removeSite !== undefined) await this.removePermission([removeSite]).catch(() => false);
        // Even if nothing changed, because the popup waits for what is stored.
        this.broadcast();
      }
    }
  }
}
