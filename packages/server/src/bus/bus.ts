import type { Channel } from "./channels/channel.js";

/** A value of the registry. `revision` grows with every change of any value. */
export interface RegistryEntry {
  readonly key: string;
  readonly value: string;
  readonly revision: number;
}

/** A change: a new value, or none when the key was deleted. Values that expire are not reported. */
export interface RegistryChange {
  readonly key: string;
  readonly value: string | undefined;
  readonly revision: number;
}

/** Values by key that all hubs of a bus share. */
export interface Registry {
  get(key: string): Promise<RegistryEntry | undefined>;
  /** Sets a value, whatever it was before. */
  put(key: string, value: string): Promise<number>;
  /**
   * Sets a value if the key still has the given revision (0: if it has no value). Returns the new revision, or `undefined`
   * when somebody else was faster.
   */
  compareAndSet(key: string, value: string, revision: number): Promise<number | undefined>;
  /** Deletes a key, if it still has the given revision. */
  delete(key: string, revision?: number): Promise<void>;
  /** Calls back for every value that exists, then for every change. Resolves once all existing values were reported. */
  watch(onChange: (change: RegistryChange) => void): Promise<void>;
}

/** A text of the log. `number` grows with every text of any session. */
export interface StoredText {
  readonly number: number;
  readonly text: string;
}

/** Batches of records by session, which outlive the hub that wrote them. Bounded in bytes and in age: the oldest go first. */
export interface DurableLog {
  /**
   * Stores a text of a session, if its newest one still has the number `after` (0: if it has none). Returns its number once it is
   * stored, or `undefined` when somebody else was faster.
   */
  append(sessionId: string, text: string, after: number): Promise<number | undefined>;
  /** The newest text of a session. */
  newest(sessionId: string): Promise<StoredText | undefined>;
  /** The first text of a session whose number is above this one. */
  next(sessionId: string, after: number): Promise<StoredText | undefined>;
  /** What is stored of a session up to a number, oldest first. */
  read(sessionId: string, upTo: number): Promise<StoredText[]>;
  /** Deletes what is stored of a session. */
  purge(sessionId: string): Promise<void>;
}

/** A text of the queue that this hub works on. */
export interface WorkItem {
  readonly text: string;
  /** How often it was given to a hub, this time included. */
  readonly attempt: number;
  /** Keeps it from being given to another hub, for `WORK_MS` from now. */
  keep(): void;
  /** Resolves once nobody gets it. */
  done(): Promise<void>;
  /** Gives it back: another hub gets it, or this one, at once or after a time. */
  giveBack(afterMs?: number): void;
}

/**
 * Texts that wait for a hub, by key. Each is given to one hub, the oldest of a key first. A hub that is lost, or does not keep it, loses
 * it to another one. Texts that nobody has taken within `QUEUE_LIMITS.ageMs` are dropped.
 */
export interface WorkQueue {
  /** Resolves once the text is stored. Rejects when the queue is full. */
  put(key: string, text: string): Promise<void>;
  /** Keys that have texts, including those that hubs work on. */
  keys(): Promise<string[]>;
  /** The next text of a key; `undefined` when none came within a second or so. */
  claim(key: string): Promise<WorkItem | undefined>;
}

/** What a hub does with what other hubs send it. */
export interface BusHandlers {
  /** Answers a request. What it throws is thrown at the sender. */
  onRequest(body: string, from: string): Promise<string> | string;
  /** Accepts a channel, or throws why not. Messages may come as soon as it returns. */
  onChannel(head: string, channel: Channel, from: string): void;
  /** Another hub published something to all. */
  onNotice(text: string, from: string): void;
}

/**
 * What connects hubs: a registry with leases, requests, channels, notices and a durable log. A hub alone has none. One
 * implementation is in memory, for hubs of one process; the other one is NATS. `tests/integration/bus/contract.test.ts` holds
 * for both.
 */
export interface Bus {
  /** The name of this hub, which no other hub of the bus has. */
  readonly hub: string;
  /** Hubs that live: a value vanishes when it was not put again for `LEASE_MS`. */
  readonly hubs: Registry;
  /** Which hub has which session. */
  readonly sessions: Registry;
  readonly log: DurableLog;
  readonly queue: WorkQueue;
  /** Called once, before anything else. */
  listen(handlers: BusHandlers): Promise<void>;
  /** Asks another hub. Rejects with its error, or when it does not answer in time. */
  request(hub: string, body: string, timeoutMs?: number): Promise<string>;
  /** Opens a channel to another hub. Rejects with its error, or when it does not answer in time. */
  open(hub: string, head: string, timeoutMs?: number): Promise<Channel>;
  /** Sends a text to every other hub that listens. */
  notify(text: string): void;
  /** Ends all channels with a hub that is gone. */
  dropHub(hub: string): void;
  /** Whether another hub is connected to the bus at this moment. Also true when that cannot be known. */
  isConnected(hub: string): Promise<boolean>;
  /** The servers of the bus, as far as this hub knows: another text after one of them was lost or started. */
  readonly servers: string;
  /** Since when this hub has been connected to the bus, in milliseconds since the epoch; `undefined` while it is not. */
  readonly connectedSince: number | undefined;
  close(): Promise<void>;
}

/** How long a hub counts as living after it said so last. */
export const LEASE_MS = 3_000;
/** Servers of a NATS cluster wait up to 9 s before they choose another leader. */
export const MAX_ELECTION_MS = 15_000;
export const REQUEST_TIMEOUT_MS = 5_000;
/** The largest request, answer, value or notice in bytes: NATS refuses messages above 1 MB. */
export const MAX_BUS_MESSAGE = 900_000;
/** How long a hub may work on a text of the queue before another hub gets it. */
export const WORK_MS = 5_000;
export const QUEUE_LIMITS = { texts: 10_000, ageMs: 60 * 60_000 } as const;
/** Limits of the durable log: bytes of all sessions together, age, and texts of each session. */
export interface LogLimits {
  readonly bytes: number;
  readonly ageMs: number;
  readonly batchesPerSession: number;
}
export const LOG_LIMITS: LogLimits = {
  bytes: 1024 * 1024 * 1024,
  ageMs: 24 * 60 * 60_000,
  batchesPerSession: 2_000,
};
