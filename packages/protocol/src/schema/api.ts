import { z } from "zod";
import { SESSION_KINDS } from "../names.js";
import { tabAccessSchema } from "./extension.js";
import { countField, idField, isoField, lineField, urlField } from "./fields.js";

/** What the HTTP API returns about a session. */
export const sessionSummarySchema = z.object({
  id: idField,
  kind: z.enum(SESSION_KINDS),
  /** Whether something is connected that can be observed and used. */
  connected: z.boolean(),
  apps: countField,
  agents: countField,
  /** Sequence of the newest event. */
  sequence: countField,
  lastEventAt: isoField.optional(),
  /** When a client last sent it a command. */
  lastUsedAt: isoField.optional(),
  /** Whether it is the tab in front: the active one of the window that the person used last. */
  active: z.boolean().optional(),
  /** What the person lets agents do in a tab. */
  access: tabAccessSchema.optional(),
  appName: lineField.optional(),
  appVersion: lineField.optional(),
  url: urlField.optional(),
  /** The origin that the session is pinned to; `url` and `title` are what its page reports. */
  origin: urlField.optional(),
  title: lineField.optional(),
  /** The hub that has the session, when hubs share a bus. */
  hubName: lineField.optional(),
  /** Who has the right to act now. */
  leaseOwner: lineField.optional(),
});
export type SessionSummary = z.infer<typeof sessionSummarySchema>;
