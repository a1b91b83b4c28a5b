import { z } from "zod";
import { CONSOLE_LEVELS } from "../names.js";
import { countField, filledLineField, idField, lineField, textField, urlField } from "./fields.js";

const MAX_FILES = 100;
const MAX_EVENTS = 200;

/** What a saved file led to. */
export const EDIT_OUTCOMES = [
  "hot_update",
  "full_reload",
  "build_error",
  "rebuilt",
  "no_update",
  "unused",
] as const;

/** Why a bundler could not build a file, and where. */
export const buildErrorSchema = z.object({
  message: textField,
  file: lineField.optional(),
  line: countField.optional(),
  column: countField.optional(),
  /** The lines of code around the place, as the bundler prints them. */
  frame: textField.optional(),
});

/** Files that were saved, and what the development server did with them. */
export const editSchema = z.object({
  type: z.literal("edit"),
  /** Pages name it in `edit_effect`. */
  id: idField,
  /** Paths from the root of the project. */
  files: z.array(filledLineField).min(1).max(MAX_FILES),
  outcome: z.enum(EDIT_OUTCOMES),
  /** When pages were notified, or it was known that they are not, by the clock of the development server. Pages show the old code until then. */
  at: countField.optional(),
  error: buildErrorSchema.optional(),
  /** Messages of earlier build errors that this edit removed. */
  fixed: z.array(textField).max(20).optional(),
});

/** A line that the development server printed. */
export const serverLogSchema = z.object({
  type: z.literal("server_log"),
  level: z.enum(CONSOLE_LEVELS),
  text: textField,
});

/** A development server that reports to the session. */
export const devServerSchema = z.object({
  type: z.literal("dev_server"),
  bundler: lineField,
  /** The folder of the project, on the machine of the development server. */
  root: lineField,
  url: urlField.optional(),
});

/** What a development server posts to the hub about one session. */
export const devServerReportSchema = z.object({
  events: z
    .array(z.discriminatedUnion("type", [editSchema, serverLogSchema, devServerSchema]))
    .min(1)
    .max(MAX_EVENTS),
});

export type BuildError = z.infer<typeof buildErrorSchema>;
export type Edit = z.infer<typeof editSchema>;
export type EditOutcome = Edit["outcome"];
export type ServerLog = z.infer<typeof serverLogSchema>;
export type DevServerReport = z.infer<typeof devServerReportSchema>;
export type DevServerEvent = DevServerReport["events"][number];
