import { randomBytes } from "node:crypto";
import { BridgeError, SESSION_KINDS } from "@debug-bridge/protocol";
import { check, idField } from "@debug-bridge/protocol/schemas";
import { z } from "zod";
import type { Owner } from "../../sessions/owner.js";

/** Which hub has a session, and what the next one needs to know to continue it. */
export interface Place {
  readonly hub: string;
  /** Distinguishes sessions that had the same id one after the other. */
  readonly life: string;
  /** Grows by one with each hub that takes the session over. */
  readonly term: number;
  /** Who may join it as an app. */
  readonly pin?: Owner | undefined;
}

const pinSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("origin"), origin: z.string().max(2_048) }),
  z.object({ kind: z.literal("program") }),
  z.object({ kind: z.literal("console") }),
  z.object({ kind: z.literal("files") }),
  z.object({ kind: z.literal("hub"), sessions: z.enum(SESSION_KINDS) }),
]);

const placeSchema = z.object({
  hub: idField,
  life: z.string().max(64),
  term: z.int().min(1),
  pin: pinSchema.optional(),
});

/** The place of a session that is new, or that another hub had before. */
export function placeAt(hub: string, previous: Place | undefined, pin: Owner | undefined): Place {
  const life = previous?.life ?? randomBytes(6).toString("hex");
  const pinned = previous?.pin ?? pin;
  return { hub, life, term: (previous?.term ?? 0) + 1, ...(pinned ? { pin: pinned } : {}) };
}

/** A place from the registry; `undefined` when what is there is none, as after a mistake of somebody else's program. */
export function readPlace(value: string): Place | undefined {
  try {
    const read = check(placeSchema, JSON.parse(value));
    return read.ok ? (read.value as Place) : undefined;
  } catch {
    return undefined;
  }
}

export function busLost(): BridgeError {
  return new BridgeError(
    "app_not_connected",
    "this hub has no connection to its bus, so it cannot know which hub has this session; try again in a few seconds",
  );
}
