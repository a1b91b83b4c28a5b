import { z } from "zod";
import { CONSOLE_LEVELS } from "../names.js";
import { buildErrorSchema, EDIT_OUTCOMES } from "./dev-server.js";
import { countField, durationField, idField, lineField, refField, textField, urlField } from "./fields.js";

const MAX_ENTRIES = 50;

const elementLine = z.object({ ref: refField, role: lineField, name: lineField });

/** What an action caused, in a few lines. Lists are cut at 50 entries; `omitted` counts the rest. */
export const receiptSchema = z.object({
  /** False when the page still moved, or a request still ran, when waiting ended. */
  settled: z.boolean(),
  /** From the action to quiet, or to giving up. */
  durationMs: durationField,
  appeared: z.array(elementLine).max(MAX_ENTRIES).optional(),
  vanished: z.array(elementLine).max(MAX_ENTRIES).optional(),
  changed: z
    .array(elementLine.extend({ field: lineField, before: lineField, after: lineField }))
    .max(MAX_ENTRIES)
    .optional(),
  /** Lines of visible text that came, that went, and that came and went again while the action settled. */
  text: z
    .object({
      added: z.array(textField).max(MAX_ENTRIES),
      removed: z.array(textField).max(MAX_ENTRIES),
      passing: z.array(textField).max(MAX_ENTRIES),
    })
    .optional(),
  /** Elements on the screen that look different without reading differently. */
  looks: z.array(lineField).max(MAX_ENTRIES).optional(),
  /** The page is large: text and looks were compared only where they are on the screen. */
  compared: z.literal("screen").optional(),
  console: z
    .array(z.object({ level: z.enum(CONSOLE_LEVELS), text: textField }))
    .max(MAX_ENTRIES)
    .optional(),
  errors: z.array(textField).max(MAX_ENTRIES).optional(),
  requests: z
    .array(
      z.object({
        method: lineField,
        url: urlField,
        /** 0 when it failed without a response; absent while it runs. */
        status: countField.optional(),
        durationMs: durationField.optional(),
        error: lineField.optional(),
      }),
    )
    .max(MAX_ENTRIES)
    .optional(),
  navigation: z.object({ from: urlField, to: urlField }).optional(),
  /** Pages that it opened in separate tabs or windows. */
  opened: z
    .array(z.object({ sessionId: idField.optional(), url: urlField, title: lineField.optional() }))
    .max(MAX_ENTRIES)
    .optional(),
  downloads: z
    .array(
      z.object({
        name: lineField,
        /** Where the file is on the machine of the hub. */
        path: lineField.optional(),
        bytes: countField.optional(),
        state: z.enum(["running", "done", "failed"]),
      }),
    )
    .max(MAX_ENTRIES)
    .optional(),
  /** Scopes of custom state that changed, with the paths inside them. */
  state: z
    .array(z.object({ scope: lineField, path: lineField, before: z.unknown(), after: z.unknown() }))
    .max(MAX_ENTRIES)
    .optional(),
  /** For the receipt of an edit: what was saved, and what that did besides changing the page. */
  edit: z
    .object({
      files: z.array(lineField).max(100),
      outcome: z.enum(EDIT_OUTCOMES),
      error: buildErrorSchema.optional(),
      /** The page did not report what the edit did to it. */
      unreported: z.literal(true).optional(),
      /** How many saves the receipt is about, if they could not be distinguished. */
      saves: z.int().min(2).optional(),
      /** Errors that were there before and did not come again when the code ran again. */
      gone: z.array(textField).max(MAX_ENTRIES).optional(),
      /** Elements that the app created again with the same role and name: they have new refs. */
      recreated: countField.optional(),
      /** Filled fields and parts of the app's state that are as before. */
      kept: countField.optional(),
      /** Filled fields and parts of the app's state that are not. */
      lost: z.array(lineField).max(MAX_ENTRIES).optional(),
    })
    .optional(),
  /** Entries left out of the lists above. */
  omitted: countField.optional(),
});

export type Receipt = z.infer<typeof receiptSchema>;

/** How long an action waits for its effects: `false` not at all. */
export const settleField = z
  .union([
    z.object({
      quietMs: z.number().min(0).max(10_000).optional(),
      maxMs: z.number().min(0).max(60_000).optional(),
    }),
    z.literal(false),
  ])
  .optional();

export type Settle = z.infer<typeof settleField>;
