import type { RelayCore } from "../relay-core.js";
import { type CdpFailure, failure } from "../wire/messages.js";
import { LOSS_TEXT } from "./sharing.js";
import type { Tab } from "./tab.js";

/** Attaches Chrome's debugger to tabs, and detaches it. */
export class TabAttachments {
  constructor(private readonly relay: RelayCore) {}

  /** Attaches the debugger, once; `done` is called in this very turn when it is attached already. */
  attach(tab: Tab, done: (error?: CdpFailure) => void): void {
    if (tab.attachment === "attached") {
      done();
      return;
    }
    tab.waitingForAttach.push(done);
    if (tab.attachment === "attaching") return;
    tab.attachment = "attaching";
    const params = JSON.stringify({ tabId: tab.tabId, sessionId: `tab-${tab.tabId}` });
    this.relay.extension.request("attachTab", params, (outcome) => {
      if (this.relay.tabs.get(tab.tabId) !== tab) return;
      tab.attachment = outcome.ok ? "attached" : "none";
      if (!outcome.ok) tab.main.reset();
      const { waitingForAttach } = tab;
      tab.waitingForAttach = [];
      for (const run of waitingForAttach) run(outcome.ok ? undefined : outcome.error);
    });
  }

  /** Detaches from a tab that no client uses: Chrome forgets all that was set up in it. */
  releaseIfUnused(tab: Tab): void {
    if (tab.attachment !== "attached" || this.relay.tabs.get(tab.tabId) !== tab) return;
    if ([...tab.main.sessions].some(({ usesPage, client }) => usesPage && !client.follows)) return;
    if (
      [...tab.children.values()].some(({ sessions }) => [...sessions].some(({ client }) => !client.follows))
    )
      return;
    this.relay.registry.detached(tab);
    this.relay.extension.request("detachTab", JSON.stringify({ tabId: tab.tabId }), () => {});
  }

  lostError(tab: Tab): CdpFailure {
    const why = tab.lossReason ? LOSS_TEXT[tab.lossReason] : "list the tabs again";
    return failure("target_not_found", `the tab "${tab.title.slice(0, 60)}" was lost; ${why}`);
  }
}
