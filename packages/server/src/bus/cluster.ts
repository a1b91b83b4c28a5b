import { setTimeout as delay } from "node:timers/promises";
import { BridgeError, type SessionSummary, type Transport } from "@debug-bridge/protocol";
import { steadyNow } from "../bounds/steady-clock.js";
import { READ_ONLY_SUFFIX } from "../dispatch/policy.js";
import type { Feed, FeedRequest } from "../http/feed.js";
import type { OtherHubs } from "../http/hub/other-hubs.js";
import type { SendEvent } from "../http/sse.js";
import type { Browsers } from "../providers/browsers/browsers.js";
import { isReserved, type Owner, ownerOf } from "../sessions/owner.js";
import type { Hold } from "../sessions/records/held-records.js";
import type { Sessions } from "../sessions/registry.js";
import type { Session } from "../sessions/session.js";
import type { Entry } from "../timeline/timeline.js";
import type { AppWire, AppWirePeer } from "../wires/app.js";
import type { AgentTarget } from "../wires/app-agent.js";
import type { AppWireTarget } from "../wires/app-target.js";
import { type Bus, LEASE_MS } from "./bus.js";
import { type Channel, HubUnreachable } from "./channels/channel.js";
import { type HttpHead, type PeerHead, readHead } from "./channels/heads.js";
import { type Claim, Directory } from "./members/directory.js";
import { Members } from "./members/members.js";
import { type OwnRuns, RemoteApprovals } from "./remote/approvals.js";
import { JoinedFeed, serveFeed } from "./remote/feeds.js";
import { type HasItem, RemoteHomes } from "./remote/homes.js";
import { answerOver, passedHeaders, readsSince, requestOver } from "./remote/http.js";
import { joinLater } from "./remote/join.js";
import { answerListing, Listings } from "./remote/listing.js";
import { RemoteRelays, type SharedRelay } from "./remote/relays.js";
import { SessionLog } from "./timeline/session-log.js";

/** How long somebody waits for a session whose hub does not answer: until its lease has ended, and a moment. */
const MAX_WAIT_MS = 2 * LEASE_MS + 2_000;
const RETRY_MS = 100;
const NOTICE_DELAY_MS = 50;
const SWEEP_MS = 5_000;
/** `tab-7@HUB`: a session of another hub that has the same id as one elsewhere. */
const AT_HUB = /^(.+)@([A-Za-z0-9_-]+)$/;

/** What this hub offers the others. */
export interface ClusterParts {
  readonly sessions: Sessions;
  readonly appWire: AppWire;
  readonly feed: Feed;
  readonly browsers: Pick<Browsers, "answer" | "onNotice">;
  readonly relay: SharedRelay;
  readonly hasItem: HasItem;
  readonly runs: OwnRuns;
  /** The HTTP API of this hub for what other hubs pass on, and the token with which it answers. */
  readonly answer: (request: Request) => Response | Promise<Response>;
  readonly token: () => string;
}

/** Another hub, and the id that a session has there. */
interface Location {
  readonly hub: string;
  readonly sessionId: string;
}

interface LocateOptions {
  /** Whether the session is opened on this hub if no hub has it. */
  readonly creates?: boolean;
  readonly pin?: Owner | undefined;
}

/**
 * This hub among the others of a bus. Every session is on exactly one hub, its owner, where policy, lease, audit and timeline
 * are. The other hubs admit peers to it and pass on what they send.
 */
export class Cluster implements OtherHubs {
  private readonly members: Members;
  private readonly directory: Directory;
  private readonly log: SessionLog;
  private readonly listings: Listings;
  /** The relays of other hubs, what they keep in their homes, and the people who decide there. */
  readonly approvals: RemoteApprovals;
  readonly relays: RemoteRelays;
  readonly homes: RemoteHomes;
  private readonly feeds = new Set<JoinedFeed>();
  /** Claims that had no session when they were looked at last. */
  private readonly unused = new Set<string>();
  private parts: ClusterParts | undefined;
  private notice: NodeJS.Timeout | undefined;
  private sweeping: NodeJS.Timeout | undefined;
  private begin: () => void = () => {};
  private readonly started = new Promise<void>((resolve) => {
    this.begin = resolve;
  });

  constructor(
    private readonly bus: Bus,
    private readonly options: { readonly readOnly: boolean },
  ) {
    this.members = new Members(bus, {
      onJoined: (hub) => {
        for (const feed of this.feeds) void feed.follow(hub);
        this.parts?.sessions.watchers.changed();
      },
      onLost: (hub) => {
        bus.dropHub(hub);
        this.parts?.sessions.watchers.changed();
      },
    });
    this.directory = new Directory(bus, this.members, {
      prepareTakeover: (sessionId, claim) => this.prepareTakeover(sessionId, claim),
      onLost: (sessionId, hub) => this.giveUp(sessionId, hub),
      onChanged: () => this.parts?.sessions.watchers.changed(),
    });
    this.relays = new RemoteRelays(bus, this.members, (name) => this.nameOf(name) ?? name);
    this.approvals = new RemoteApprovals(bus, this.members);
    this.homes = new RemoteHomes(bus, this.members, (name) => this.nameOf(name));
    this.log = new SessionLog(bus.log, this.directory);
    this.listings = new Listings(bus, this.members, this.directory);
  }

  /** Joins the bus. Until then, any client that asks for a session waits. */
  async start(parts: ClusterParts): Promise<void> {
    this.parts = parts;
    this.relays.relay = parts.relay;
    this.homes.hasItem = parts.hasItem;
    this.approvals.runs = parts.runs;
    await this.bus.listen({
      onRequest: (body) => this.answerRequest(body),
      onChannel: (head, channel) => this.accept(head, channel),
      onNotice: (text, from) => {
        const isKnown = this.members.onNotice(text, from) || parts.browsers.onNotice(text);
        if (!isKnown && !this.directory.onNotice(text)) parts.sessions.watchers.changed();
      },
    });
    await this.members.start();
    await this.directory.start();
    this.sweeping = setInterval(() => this.sweep(), SWEEP_MS);
    this.sweeping.unref();
    this.begin();
    for (const session of parts.sessions.all()) this.onOpened(session);
  }

  async close(): Promise<void> {
    clearTimeout(this.notice);
    clearInterval(this.sweeping);
    for (const feed of this.feeds) feed.stop();
    await this.log.close(2_000);
    await this.members.close();
    await this.bus.close();
  }

  // What happens to the sessions of this hub.

  isFull = (session: Session): boolean => this.directory.claimOf(session.id) !== undefined && this.log.isFull;

  /** Returns who waits until the record is stored. */
  store(session: Session, entry: Entry): Hold {
    return this.directory.claimOf(session.id) === undefined ? "nobody" : this.log.append(session, entry);
  }

  /** A session that a provider of this hub has opened is claimed afterwards: its name is the hub's to give. */
  onOpened(session: Session): void {
    const { id } = session;
    if (this.directory.claimOf(id)) return;
    void this.started
      .then(
        async () => {
          if (this.directory.claimOf(id) || (await this.directory.claim(id)) !== this.bus.hub) return;
          if (this.parts?.sessions.get(id) !== session) return;
          for (const entry of session.timeline.readSince(0).entries) this.log.append(session, entry);
          const { owner } = session.ownership;
          if (owner) this.directory.pin(id, owner);
        },
        () => {},
      )
      .catch(() => {});
  }

  onClaimed({ id }: Session, owner: Owner): void {
    if (this.directory.claimOf(id)) this.directory.pin(id, owner);
  }

  onForgotten(session: Session): void {
    this.log.forget(session);
    this.directory.release(session.id);
  }

  /** Several changes shortly after each other are one notice. */
  onPeersChanged(): void {
    this.notice ??= setTimeout(() => {
      this.notice = undefined;
      this.bus.notify("sessions");
    }, NOTICE_DELAY_MS);
    this.notice.unref();
  }

  describe(session: Session): SessionSummary {
    return { ...session.summary(), hubName: this.bus.hub };
  }

  // The sessions of other hubs.

  /** Opens a channel for a peer to the hub that has its session. `undefined` when this hub has it, or has it from now on. */
  async openPeer(target: AppWireTarget, { origin, isOpen }: AppWirePeer): Promise<Channel | undefined> {
    const { role, sessionId, name, since } = target;
    if (role === "app" && isReserved(sessionId)) return undefined;
    const pin = role === "app" ? ownerOf(origin) : undefined;
    const channel = await this.withOwner(sessionId, { creates: true, pin }, (at) => {
      const named = { ...target, sessionId: at.sessionId, name: this.nameOf(name) };
      const head: PeerHead = { kind: "peer", target: named, origin, isOpen };
      return this.bus.open(at.hub, JSON.stringify(head));
    });
    if (!channel) await this.olderRecords(sessionId, since);
    return channel;
  }

  /** Joins a session of any hub as an agent inside this process. */
  joinAsAgent(
    target: AgentTarget,
    { appWire, sessions }: Pick<ClusterParts, "appWire" | "sessions">,
  ): Transport {
    if (sessions.get(target.sessionId)) return appWire.joinAsAgent(target);
    const peer = { origin: undefined, isOpen: false };
    const opened = this.openPeer({ ...target, role: "agent" }, peer);
    return joinLater(opened, (hub) => appWire.attachAgent(hub, target));
  }

  async forward(request: Request, sessionId: string): Promise<Response | undefined> {
    const url = new URL(request.url);
    const rest = /^\/v1\/sessions\/[^/]+(.*)$/.exec(url.pathname)?.[1] ?? "";
    url.searchParams.delete("token");
    const headers = passedHeaders(request.headers).map(([name, value]): [string, string] => [
      name,
      name === "x-debug-bridge-client" ? (this.nameOf(value) ?? value) : value,
    ]);
    const client = this.nameOf(undefined);
    if (client !== undefined && !request.headers.has("x-debug-bridge-client"))
      headers.push(["x-debug-bridge-client", client]);
    const channel = await this.withOwner(sessionId, {}, (at) => {
      const method = request.method as HttpHead["method"];
      const head: HttpHead = {
        ...{ kind: "http", sessionId: at.sessionId, method, headers },
        rest: `${rest}${url.search}`,
      };
      return this.bus.open(at.hub, JSON.stringify(head));
    });
    if (channel) return requestOver(channel, request);
    await this.olderRecords(sessionId, readsSince(rest, url, request.headers));
    return undefined;
  }

  names(): { readonly name: string; readonly others: readonly string[] } {
    return { name: this.bus.hub, others: this.members.others().sort() };
  }

  async summaries(): Promise<SessionSummary[]> {
    await this.started;
    return this.listings.all(this.ownSummaries());
  }

  joinFeeds(wanted: FeedRequest, subscribe: (send: SendEvent) => () => void, send: SendEvent): () => void {
    const onStopped = (): void => void this.feeds.delete(feed);
    const local = { subscribe, ready: wanted.types && this.log.older.readAll() };
    const feed = new JoinedFeed(this.bus, wanted, this.members.others(), local, send, onStopped);
    this.feeds.add(feed);
    return () => feed.stop();
  }

  // What other hubs ask of this one.

  private answerRequest(body: string): Promise<string> | string {
    const answer =
      answerListing(body, this.ownSummaries()) ??
      this.parts?.browsers.answer(body) ??
      this.relays.answer(body) ??
      this.homes.answer(body) ??
      this.approvals.answer(body);
    if (answer !== undefined) return answer;
    throw new BridgeError("invalid_message", "a hub sent a request that this hub does not know");
  }

  private accept(text: string, channel: Channel): void {
    const { parts } = this;
    if (!parts) throw new BridgeError("app_not_connected", "this hub is still starting");
    const head = readHead(text);
    const own = { host: "127.0.0.1", authorization: `Bearer ${parts.token()}` };
    if (head.kind === "feed") serveFeed(head, channel, parts, head.types && this.log.older.readAll());
    else if (head.kind === "relay") this.relays.accept(head, channel);
    else if (head.kind === "home")
      answerOver(channel, head, new URL(`http://127.0.0.1${head.path}`), own, parts.answer);
    else if (head.kind === "peer") {
      const { target, origin, isOpen } = head;
      this.assertHere(target.sessionId);
      const wanted = { ...target, name: target.name, since: target.since };
      const older = this.olderRecords(target.sessionId, target.since);
      const serve = (): void => parts.appWire.serveChannel(channel, wanted, { origin, isOpen });
      if (!older) serve();
      else older.then(serve).catch((thrown) => channel.close(1011, BridgeError.from(thrown).message));
    } else {
      this.assertHere(head.sessionId);
      const url = new URL(`http://127.0.0.1/v1/sessions/${encodeURIComponent(head.sessionId)}${head.rest}`);
      answerOver(channel, head, url, own, parts.answer);
    }
  }

  /** Resolves when this hub has the records of one of its sessions after a number; `undefined` when it has them. */
  private olderRecords(sessionId: string, since: number | undefined): Promise<void> | undefined {
    const session = since === undefined ? undefined : this.parts?.sessions.get(sessionId);
    return session && this.log.older.read(session, since);
  }

  /** Another hub may know of a session that is gone from here: it has to look again. */
  private assertHere(sessionId: string): void {
    if (this.parts?.sessions.get(sessionId) || this.directory.claimOf(sessionId)) return;
    // It is, if this hub took it over and could not read what was stored: it tries again.
    if (this.directory.knownHub(sessionId) === this.bus.hub)
      void this.directory.claim(sessionId).catch(() => {});
    throw new BridgeError("session_not_found", `session "${sessionId}" is not on the hub "${this.bus.hub}"`);
  }

  private ownSummaries(): SessionSummary[] {
    return (this.parts?.sessions.all() ?? []).map((session) => this.describe(session));
  }

  /** Runs something with the hub that has a session, and again with the next one while hubs come and go. */
  private async withOwner<Value>(
    sessionId: string,
    options: LocateOptions,
    run: (at: Location) => Promise<Value>,
  ): Promise<Value | undefined> {
    await this.started;
    let refusedBy: string | undefined;
    for (const ends = steadyNow() + MAX_WAIT_MS; ; ) {
      const at = await this.locate(sessionId, { ...options, refusedBy });
      if (!at) return undefined;
      try {
        return await run(at);
      } catch (thrown) {
        const error = BridgeError.from(thrown);
        refusedBy = error.code === "session_not_found" ? at.hub : undefined;
        const mayWork = thrown instanceof HubUnreachable || refusedBy !== undefined;
        if (!mayWork || steadyNow() > ends) throw error;
        if (thrown instanceof HubUnreachable) await this.members.waitUntilLost(at.hub, 5 * RETRY_MS);
        else await delay(RETRY_MS);
      }
    }
  }

  private async locate(
    sessionId: string,
    { creates = false, pin, refusedBy }: LocateOptions & { readonly refusedBy: string | undefined },
  ): Promise<Location | undefined> {
    if (this.parts?.sessions.get(sessionId)) return undefined;
    const [, bare, hub] = AT_HUB.exec(sessionId) ?? [];
    if (bare !== undefined && hub !== undefined && this.members.others().includes(hub))
      return { hub, sessionId: bare };
    const hasMoved = refusedBy !== undefined;
    if (hasMoved) this.listings.forget(sessionId);
    if (this.directory.knownHub(sessionId) === undefined) {
      const there = await this.listings.findNew(sessionId, creates);
      const isElsewhere = there !== undefined && there !== this.bus.hub && there !== refusedBy;
      if (isElsewhere) return { hub: there, sessionId };
      if (!creates) return undefined;
    }
    // The bus need not answer for that: it has no leader while one of its servers is lost.
    const known = hasMoved ? undefined : this.directory.livingHub(sessionId);
    const owner = known ?? (await this.directory.claim(sessionId, pin));
    return owner === this.bus.hub ? undefined : { hub: owner, sessionId };
  }

  private async prepareTakeover(sessionId: string, claim: Claim): Promise<() => void> {
    const restore = await this.log.read(sessionId, claim);
    return () => {
      const session = this.parts?.sessions.open(sessionId);
      if (!session) return;
      if (claim.pin) session.ownership.claim(claim.pin);
      restore(session);
      session.ownership.onAppsGone(steadyNow());
      // Its page connects again in a moment: commands wait for it.
      session.dispatcher.gap.onPageLeft();
    };
  }

  /** Another hub took the session over while this one was out of reach: its peers find it there. */
  private giveUp(sessionId: string, hub: string | undefined): void {
    const session = this.parts?.sessions.get(sessionId);
    if (!session) return;
    session.held.giveUp();
    session.close(`the session is on ${hub === undefined ? "another hub" : `the hub "${hub}"`} now`);
    this.parts?.sessions.remove(session);
  }

  private sweep(): void {
    for (const sessionId of this.directory.claimed()) {
      if (this.parts?.sessions.get(sessionId)) this.unused.delete(sessionId);
      else if (this.unused.delete(sessionId)) this.directory.release(sessionId);
      else this.unused.add(sessionId);
    }
  }

  /** The name of a client on the hub that has its session. It says if this hub lets the client look only. */
  private nameOf(name: string | undefined): string | undefined {
    return this.options.readOnly ? `${name?.slice(0, 80) ?? ""}${READ_ONLY_SUFFIX}` : name;
  }
}
