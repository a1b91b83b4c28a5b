import type { ByteBudget } from "../bounds/byte-budget.js";
import { type AppOptions, AppPeer } from "./peers/app-peer.js";
import type { Link } from "./peers/link.js";
import { LateJoinState } from "./records/late-join-state.js";
import { SequenceDeduplicator } from "./records/sequence-deduplicator.js";

/** The apps of one session, and what agents that join late need to know of their pages. */
export class Pages {
  readonly apps = new Set<AppPeer>();
  readonly deduplicator = new SequenceDeduplicator();
  /** The state of the page that sent `hello` last, which describes the session while nobody is connected. */
  newest: LateJoinState;

  constructor(private readonly budget: ByteBudget | undefined) {
    this.newest = new LateJoinState(budget);
  }

  add(link: Link, options: AppOptions): AppPeer {
    const app = new AppPeer(link, new LateJoinState(this.budget), options);
    this.apps.add(app);
    return app;
  }

  /** False when it had been removed before. */
  remove(app: AppPeer, reason: string): boolean {
    if (!this.apps.delete(app)) return false;
    app.onLost(reason);
    if (app.state !== this.newest) app.state.release();
    return true;
  }

  /** A page sent `hello`. One that connects again continues where it was, and its earlier connection is closed. */
  onHello(app: AppPeer, instanceId: string | undefined): void {
    app.identify(instanceId);
    const previous = this.newest;
    if (instanceId !== undefined && previous.hello?.instanceId === instanceId) app.state = previous;
    this.newest = app.state;
    if (![...this.apps].some(({ state }) => state === previous)) previous.release();
    if (instanceId === undefined) return;
    for (const other of this.apps) {
      if (other === app || other.instanceId !== instanceId) continue;
      this.apps.delete(other);
      app.state = other.state;
      this.newest = app.state;
      other.onLost("the page connected again");
      other.close(1000, "replaced by a newer connection of the same page");
    }
  }

  /** The number of the last message that was received of this page load. */
  lastSeq(instanceId: string): number {
    return this.deduplicator.lastSeq(instanceId, new Set([...this.apps].map((app) => app.instanceId)));
  }

  /** Whether the page with this `instanceId` and origin is connected. */
  has(instanceId: string, origin: string | undefined): boolean {
    for (const app of this.apps) if (app.instanceId === instanceId && app.origin === origin) return true;
    return false;
  }

  /** The states of the connected pages; if there are none, the state of the newest one. */
  states(): LateJoinState[] {
    return this.apps.size > 0 ? [...this.apps].map((app) => app.state) : [this.newest];
  }
}
