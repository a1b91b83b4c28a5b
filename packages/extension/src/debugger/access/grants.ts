/// <reference types="chrome" />
import type { AccessSettings } from "../../settings/access.js";
import { isOffered } from "./permit.js";

const KEYS = ["handedOver", "revoked"] as const;

/** The tabs that the person handed over to agents, and those that were revoked. Kept until the browser closes. */
export class Grants {
  private handedOver = new Set<number>();
  private revoked = new Set<number>();

  async load(): Promise<void> {
    const kept = await chrome.storage.session.get([...KEYS]);
    const numbers = (list: unknown): Set<number> => new Set(Array.isArray(list) ? (list as number[]) : []);
    this.handedOver = numbers(kept.handedOver);
    this.revoked = numbers(kept.revoked);
  }

  isOffered(tab: { readonly id: number; readonly url: string }, access: AccessSettings): boolean {
    return isOffered(tab, access, this.handedOver, this.revoked);
  }

  handOver(tabId: number): void {
    this.revoked.delete(tabId);
    this.handedOver.add(tabId);
    this.save();
  }

  revoke(tabId: number): void {
    this.handedOver.delete(tabId);
    this.revoked.add(tabId);
    this.save();
  }

  /** Chrome replaced a tab. To the person it is the same tab, so it keeps its grant. */
  replace(removed: number, added: number): void {
    for (const set of [this.handedOver, this.revoked]) if (set.delete(removed)) set.add(added);
    this.save();
  }

  forget(tabId: number): void {
    if (this.handedOver.delete(tabId) || this.revoked.delete(tabId)) this.save();
  }

  private save(): void {
    void chrome.storage.session.set({ handedOver: [...this.handedOver], revoked: [...this.revoked] });
  }
}
