import { isSameOwner, type Owner } from "./owner.js";

/** Who a session belongs to, and since when its apps are gone. */
export class Ownership {
  private pinned: Owner | undefined;
  private appsGoneAt: number | undefined;

  /** Who may join the session as an app; `undefined` until the first app did. */
  get owner(): Owner | undefined {
    return this.pinned;
  }

  /** Pins the session to its first owner. False when it belongs to somebody else. */
  claim(owner: Owner): boolean {
    this.pinned ??= owner;
    return isSameOwner(this.pinned, owner);
  }

  onAppJoined(): void {
    this.appsGoneAt = undefined;
  }

  onAppsGone(now: number): void {
    this.appsGoneAt = now;
  }

  /** How long no app has been connected, in milliseconds; 0 while one is, and when none ever was. */
  goneFor(now: number): number {
    return this.appsGoneAt === undefined ? 0 : now - this.appsGoneAt;
  }
}
