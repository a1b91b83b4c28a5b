/// <reference types="chrome" />

type Rule = chrome.declarativeNetRequest.Rule;

/** Everything that puts a document into a tab. */
const DOCUMENTS = ["main_frame", "sub_frame", "object"] as `${chrome.declarativeNetRequest.ResourceType}`[];

/**
 * Stops documents of other sites in locked tabs before they are requested, redirects included. Chrome itself enforces
 * the rules, so they hold while this worker is stopped. The id of a rule is the id of its tab.
 */
export class LockRules {
  private sites = new Map<number, string>();
  private readonly running = new Map<number, Promise<void>>();

  /** Reads what an earlier worker set up. */
  async load(): Promise<void> {
    const rules = await chrome.declarativeNetRequest.getSessionRules();
    this.sites = new Map(rules.map(({ id, condition }) => [id, condition.excludedRequestDomains?.[0] ?? ""]));
  }

  siteOf(tabId: number): string | undefined {
    return this.sites.get(tabId);
  }

  /** The change in progress that commands for this tab have to wait for. */
  pending(tabId: number): Promise<void> | undefined {
    return this.running.get(tabId);
  }

  /** Locks a tab to a site; without one, removes its lock. Rejects when Chrome cannot lock to such a site. */
  async set(tabId: number, site: string | undefined): Promise<void> {
    while (this.running.has(tabId)) await this.running.get(tabId)?.catch(() => {});
    if (this.sites.get(tabId) === site) return;
    const update = this.update(tabId, site).finally(() => this.running.delete(tabId));
    this.running.set(tabId, update);
    await update;
  }

  private async update(tabId: number, site: string | undefined): Promise<void> {
    const addRules = site === undefined ? [] : [ruleFor(tabId, site)];
    await chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: [tabId], addRules });
    if (site === undefined) this.sites.delete(tabId);
    else this.sites.set(tabId, site);
  }
}

function ruleFor(tabId: number, site: string): Rule {
  return {
    id: tabId,
    action: { type: "block" },
    condition: { tabIds: [tabId], resourceTypes: DOCUMENTS, excludedRequestDomains: [site] },
  } as Rule;
}
