/**
 * What the hub keeps or reads at most for its peers, in one place. "Open" peers are those that need no token: pages,
 * programs on the console wire, and any peer that did not prove anything yet.
 */
const KIB = 1024;
const MIB = 1024 * KIB;

export const HUB_LIMITS = {
  /** Unread output of one peer; above it the connection is closed. Agents lose telemetry long before. */
  unread: { app: 16 * MIB, agent: 32 * MIB, console: 1 * MIB, cdp: 64 * MIB, extension: 64 * MIB },
  /** Unread output of all peers together; above it the one that reads least is closed. */
  unreadInAll: 96 * MIB,
  /** Unfinished messages of all open peers together, and of all others. */
  unfinishedOpen: 8 * MIB,
  unfinishedTrusted: 96 * MIB,
  /** Characters that all timelines keep together. The largest gives way first. */
  timelines: 24_000_000,
  /** Characters that the timelines of sessions keep to which nobody is connected. */
  idleTimelines: 8_000_000,
  /** Characters that the hub keeps of all pages for agents that join late, and of one page. */
  lateJoin: 8_000_000,
  lateJoinOfPage: 5_000_000,
  /** Bytes that all sessions keep together of what their pages looked like. The largest gives way first. */
  pictures: 64 * MIB,
  /** Connections of apps without the token. */
  openApps: 4_000,
  /** Connections to one listener. */
  connections: 20_000,
  /** Sessions at the same time. */
  sessions: 20_000,
  /** Commands of one agent that run at the same time. */
  commandsAtOnce: 1_000,
  /** Bytes that the commands of one session hold until they are answered, from all clients, and those of all sessions. */
  runningInSession: 8 * MIB,
  runningInAll: 64 * MIB,
  /** Messages in one batch of the console wire; after so many wrong ones the rest is not read. */
  batch: 1_000,
  wrongInBatch: 20,
  /** Bytes of a request's body. */
  body: 8 * MIB,
  /** Commands of one CDP client that wait for the extension to connect, or of one of its sessions for the debugger. */
  cdpHeld: { messages: 1_000, characters: 4_000_000 },
  /** Commands of all CDP clients that wait for an extension that is away, and those that it has not answered. One may be longer. */
  cdpPending: { waiting: 1_000, sent: 10_000, characters: 64_000_000 },
  /** Sessions that one hub records, each into a separate folder. */
  recordings: 500,
} as const;
