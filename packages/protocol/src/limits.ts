/**
 * Every size that a wire bounds, in one place. Receivers enforce them at the edge; senders truncate, with a mark,
 * before they send.
 */
const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds on the JSON text of one message, checked before and while it is parsed. */
export interface MessageLimits {
  /** Bytes of UTF-8. */
  readonly bytes: number;
  /** How deep objects and arrays may nest. */
  readonly depth: number;
  /** How many members all objects of the message may have together. */
  readonly keys: number;
  /** How many members and array items it may have in all. */
  readonly nodes: number;
}

export const APP_MESSAGE_LIMITS: MessageLimits = { bytes: 4 * MIB, depth: 64, keys: 100_000, nodes: 200_000 };
export const CONSOLE_MESSAGE_LIMITS: MessageLimits = {
  bytes: 1 * MIB,
  depth: 40,
  keys: 50_000,
  nodes: 50_000,
};
/** CDP payloads (screenshots, PDF, response bodies) pass the extension wire, so it is the widest. */
export const EXTENSION_MESSAGE_LIMITS: MessageLimits = {
  bytes: 256 * MIB,
  depth: 512,
  keys: 500_000,
  nodes: 20_000_000,
};
/** Before both sides have proved themselves, almost nothing is read. */
export const PAIRING_MESSAGE_LIMITS: MessageLimits = { bytes: 1 * KIB, depth: 4, keys: 16, nodes: 16 };
export const AGENT_LINE_LIMITS: MessageLimits = { bytes: 8 * MIB, depth: 128, keys: 200_000, nodes: 500_000 };
export const BROWSER_ACTION_LIMITS: MessageLimits = {
  bytes: 8 * MIB,
  depth: 32,
  keys: 100_000,
  nodes: 200_000,
};
export const TIMELINE_LIMITS: MessageLimits = { bytes: 9 * MIB, depth: 130, keys: 200_000, nodes: 500_000 };

/** What one field may hold, across wires. */
export const FIELD_LIMITS = {
  /** Ids, refs, scopes, names of tools. */
  id: 256,
  url: 16 * KIB,
  /** Labels, titles, selectors: what a person or a model reads as one line. */
  line: 4 * KIB,
  /** Free text: an error's message, text to type, a stack. */
  text: 256 * KIB,
  /** A document's HTML or a screenshot in base64. */
  blob: 3 * MIB,
  uiItems: 5_000,
  mutations: 5_000,
  consoleArgs: 100,
} as const;

/** Serialised console arguments (console wire). */
export const CONSOLE_LIMITS = {
  stringBytes: 10 * KIB,
  depth: 10,
  objectKeys: 1_000,
  arrayItems: 1_000,
  args: 100,
} as const;

/** How many events of one tab travel, and how (console wire). */
export const CONSOLE_RATE_LIMITS = {
  /** Above this rate per tab, events travel in batches. */
  batchAbovePerSecond: 50,
  /** Above this rate per tab, events are dropped, with a warning. */
  dropAbovePerSecond: 200,
  batchEvents: 200,
} as const;

/** Messages above this size travel in chunks on our own wires and arrive whole. */
export const CHUNK_BYTES = 200 * KIB;

/** Default size of an answer for a language model, in tokens. */
export const DEFAULT_MAX_TOKENS = 2_000;

/** Chats: characters of one field, bytes on disk, and how many at once. */
export const CHAT_LIMITS = {
  title: 200,
  message: 256 * KIB,
  /** One piece of an answer; a longer one is split. */
  delta: 64 * KIB,
  /** Input and result of a step, a selection, an error. */
  detail: 16 * KIB,
  /** A run that writes more is ended; a chat that holds more takes no further message. */
  runBytes: 16 * MIB,
  transcriptBytes: 64 * MIB,
  chats: 5_000,
  runsAtOnce: 64,
  /** Pictures: bytes of one, how many a chat keeps, and what one message may carry. */
  imageBytes: 8 * MIB,
  imagesOfChat: 200,
  imagesOfMessage: 6,
  messageImageBytes: 12 * MIB,
  /** Sites on which agents may always act. */
  approvals: 1_000,
  breakpoints: 50,
} as const;
/** How long an agent waits for the person who decides whether it may act on a site. */
export const APPROVAL_TIMEOUT_MS = 600_000;
/** One line of a transcript, and one request to the chat API. */
export const CHAT_MESSAGE_LIMITS: MessageLimits = { bytes: 2 * MIB, depth: 16, keys: 1_000, nodes: 2_000 };
/** A request that starts a run: its pictures are in base64. */
export const CHAT_RUN_LIMITS: MessageLimits = { ...CHAT_MESSAGE_LIMITS, bytes: 18 * MIB };

/** Actions in one call of `act`: as many as fill a long form. Each of them waits for its effects. */
export const MAX_ACTIONS = 50;

/** Chains of causes that records carry. */
export const CHAIN_LIMITS = {
  steps: 12,
  /** Calls of one step. */
  frames: 8,
  /** The longest time for which a page may be asked to keep chains. */
  keptMs: 86_400_000,
} as const;
