import { z } from "zod";
import { budgetFields } from "../budget.js";
import {
  blobField,
  durationField,
  filledLineField,
  idField,
  lineField,
  refField,
  textField,
  urlField,
} from "../fields.js";
import { settleField } from "../receipt.js";
import { fromAgent } from "./base.js";
import { keepChainsSchema } from "./chain.js";
import { recordActionsSchema } from "./interaction.js";
import { whyPatternIsRefused } from "./pattern.js";
import { pickSchema } from "./pick.js";

const pointSchema = z.object({ x: z.number(), y: z.number() });

const targetShape = {
  selector: filledLineField.optional(),
  id: filledLineField.optional(),
  text: filledLineField.optional(),
  ref: refField.optional(),
  /** With `name`: an element by ARIA role and accessible name. */
  role: filledLineField.optional(),
  name: lineField.optional(),
  /** A point in CSS pixels: of the viewport, or from the top left corner of the element when one is named too. */
  point: pointSchema.optional(),
} as const;

const NO_TARGET = "name the element by one of ref, id, selector, text, role with name, or give a point";

/** Which element a command is about. */
export const targetSchema = z
  .object(targetShape)
  .refine((t) => t.selector ?? t.id ?? t.text ?? t.ref ?? t.role ?? t.point, { message: NO_TARGET });
export type Target = z.infer<typeof targetSchema>;

const settle = { settle: settleField } as const;

export const clickSchema = fromAgent("click", {
  target: targetSchema,
  button: z.enum(["left", "right", "middle"]).optional(),
  /** 2 is a double click. */
  clickCount: z.int().min(1).max(3).optional(),
  modifiers: z
    .array(z.enum(["Alt", "Control", "Meta", "Shift"]))
    .max(4)
    .optional(),
  ...settle,
});

export const typeSchema = fromAgent("type", {
  target: targetSchema,
  text: textField,
  clear: z.boolean().optional(),
  /** Presses Enter afterwards. */
  submit: z.boolean().optional(),
  ...settle,
});

export const pressSchema = fromAgent("press", {
  /** As `KeyboardEvent.key`, with modifiers: `Enter`, `Control+a`. */
  key: filledLineField,
  /** The focused element when left out. */
  target: targetSchema.optional(),
  ...settle,
});

export const selectSchema = fromAgent("select", {
  target: targetSchema,
  /** Values or labels of the options to select. */
  values: z.array(lineField).min(1).max(1_000),
  ...settle,
});

export const hoverSchema = fromAgent("hover", { target: targetSchema, ...settle });

export const scrollSchema = fromAgent("scroll", {
  /** Scrolls this element into view when no distance is given, else scrolls inside it. The page when left out. */
  target: targetSchema.optional(),
  x: z.number().optional(),
  y: z.number().optional(),
  to: z.enum(["top", "bottom"]).optional(),
  ...settle,
});

/** Drags an element to another, or by a distance; or moves the held mouse along a path. */
export const dragSchema = fromAgent("drag", {
  source: targetSchema.optional(),
  target: targetSchema.optional(),
  /** How far, in CSS pixels. */
  by: pointSchema.optional(),
  /** Points of the viewport: the mouse is pressed at the first and released at the last. */
  path: z.array(pointSchema).min(2).max(200).optional(),
  ...settle,
}).refine(
  ({ source, target, by, path }) =>
    path
      ? (source ?? target ?? by) === undefined
      : source !== undefined && (target === undefined) !== (by === undefined),
  { message: "give source and target, or source and by, or path alone", path: ["source"] },
);

/** Answers the dialog of the browser that is open (`alert`, `confirm`, `prompt`); if none is open, the ones that come. */
export const dialogSchema = fromAgent("dialog", {
  action: z.enum(["accept", "dismiss"]),
  /** What to enter into a `prompt`. */
  text: textField.optional(),
  /** When none is open: the next dialog (when left out), or all from now on. */
  for: z.enum(["next", "all"]).optional(),
  ...settle,
});

const MAX_FILES = 20;

/** Chooses files for a file input, or drops them on an element. */
export const setFilesSchema = fromAgent("set_files", {
  target: targetSchema,
  /** Contents in base64, or paths on the machine of the hub if the person who started it allows files. None empties an input. */
  files: z
    .array(
      z.union([
        z.strictObject({
          name: filledLineField,
          mimeType: lineField.optional(),
          data: blobField,
        }),
        z.strictObject({ path: filledLineField }),
      ]),
    )
    .max(MAX_FILES),
  /** Drops them on the target, which need not be an input. */
  drop: z.boolean().optional(),
  ...settle,
});

export const navigateSchema = fromAgent("navigate", {
  url: urlField.min(1),
  /** When the navigation counts as done; `settled` when left out: loaded, and then quiet according to `settle`. */
  waitUntil: z
    .enum(["commit", "domcontentloaded", "load", "networkidle0", "networkidle2", "settled"])
    .optional(),
  ...settle,
});

/** What to wait for: an element, a text, a URL, the network, or code that becomes true. */
export const waitForSchema = fromAgent("wait_for", {
  target: targetSchema.optional(),
  state: z.enum(["visible", "hidden", "attached", "detached", "enabled"]).optional(),
  text: filledLineField.optional(),
  /** A part of the URL. */
  url: filledLineField.optional(),
  idle: z.boolean().optional(),
  /** An edit of the source code: any, or of a file whose path ends like this. Answered by the hub with its receipt. */
  edit: z.union([z.literal(true), filledLineField]).optional(),
  /** With `edit`: pictures of the page, after it or before and after it. */
  screenshots: z.enum(["after", "both"]).optional(),
  maxMs: durationField.optional(),
}).refine(({ edit, screenshots }) => screenshots === undefined || edit !== undefined, {
  message: "screenshots are taken of an edit only; add edit, or use screenshot",
  path: ["screenshots"],
});

export const evaluateSchema = fromAgent("evaluate", { code: textField, ...settle });

export const requestUiTreeSchema = fromAgent("request_ui_tree", {
  /** `text` answers with compact lines within a budget; else a `ui_tree` message is sent. */
  format: z.enum(["items", "text"]).optional(),
  /** Only inside this element. */
  target: targetSchema.optional(),
  /**
   * Shows with each element where it was written, if the page says it; `component` shows the components of the target, with their props
   * and state. Only with `format: "text"`.
   */
  source: z.union([z.boolean(), z.literal("component")]).optional(),
  ...budgetFields,
});

/** What `find` knows of the state of an element. */
export const FIND_STATES = [
  "checked",
  "unchecked",
  "mixed",
  "expanded",
  "collapsed",
  "selected",
  "disabled",
  "enabled",
  "required",
  "invalid",
  "readonly",
  "focused",
  "hidden",
] as const;

const patternField = filledLineField.superRefine((pattern, context) => {
  const why = whyPatternIsRefused(pattern);
  if (why !== undefined)
    context.addIssue({ code: "custom", message: `cannot search with this pattern: ${why}` });
});

/** Searches the whole page. Everything that is given must hold. */
export const findSchema = fromAgent("find", {
  /** A part of the visible text, of a name or of a value, in any case. */
  text: filledLineField.optional(),
  /** A regular expression over the same text, in any case. */
  pattern: patternField.optional(),
  /** An ARIA role, or a tag. */
  role: filledLineField.optional(),
  /** A part of the accessible name. */
  name: filledLineField.optional(),
  state: z.enum(FIND_STATES).optional(),
  /** A part of the source that the element comes from, `src/app.tsx:6 App`, if the page says it; `true` only shows the sources. */
  source: z.union([filledLineField, z.literal(true)]).optional(),
  /** Only inside this element. */
  target: targetSchema.optional(),
  maxTokens: budgetFields.maxTokens,
  cursor: budgetFields.cursor,
}).refine(
  ({ text, pattern, role, name, state, source }) => text ?? pattern ?? role ?? name ?? state ?? source,
  { message: "say what to find: text, pattern, role, name, state or source" },
);

export const requestDomSnapshotSchema = fromAgent("request_dom_snapshot", {
  target: targetSchema.optional(),
});

export const getStateSchema = fromAgent("get_state", { scope: lineField.optional(), ...budgetFields });

export const callToolSchema = fromAgent("call_tool", {
  name: idField,
  input: z.unknown().optional(),
  ...settle,
});

export const screenshotSchema = fromAgent("screenshot", {
  target: targetSchema.optional(),
  /** Draws refs over the elements. */
  labels: z.boolean().optional(),
  /** The whole page instead of the viewport. */
  fullPage: z.boolean().optional(),
  quality: z.int().min(1).max(100).optional(),
});

/**
 * Has the page send what it shows, as pictures or as changes of its DOM, until it is asked to stop. The hub sends it while a
 * person looks or records.
 */
export const watchSchema = fromAgent("watch", {
  on: z.boolean(),
  /** It is watched already, and goes on. Without this for 30 seconds an app stops. */
  again: z.boolean().optional(),
});

/** Has an app answer with its whole page as it is now, for a picture that the hub has drawn. */
export const pageSnapshotSchema = fromAgent("page_snapshot", {
  /** What the picture will be of; everything without it. */
  target: targetSchema.optional(),
  /** Lists the elements that have refs. */
  labels: z.boolean().optional(),
  /** Images outside the viewport are wanted, too. */
  fullPage: z.boolean().optional(),
});

/** Marks an element in the page for the person there; without a target, removes the mark. */
export const highlightSchema = fromAgent("highlight", { target: targetSchema.optional() });

/** Cancels a running command. */
export const cancelSchema = fromAgent("cancel", {}).extend({ requestId: idField });

/** The right to act, for one client at a time. Answered by the hub. */
export const acquireLeaseSchema = fromAgent("acquire_lease", {
  owner: lineField.optional(),
  ttlMs: z.int().min(1_000).max(3_600_000).optional(),
});
export const releaseLeaseSchema = fromAgent("release_lease", {});

export const commandSchemas = [
  clickSchema,
  typeSchema,
  pressSchema,
  selectSchema,
  hoverSchema,
  scrollSchema,
  dragSchema,
  dialogSchema,
  setFilesSchema,
  navigateSchema,
  waitForSchema,
  evaluateSchema,
  requestUiTreeSchema,
  findSchema,
  requestDomSnapshotSchema,
  getStateSchema,
  callToolSchema,
  screenshotSchema,
  watchSchema,
  pageSnapshotSchema,
  highlightSchema,
  pickSchema,
  recordActionsSchema,
  keepChainsSchema,
  cancelSchema,
  acquireLeaseSchema,
  releaseLeaseSchema,
] as const;

export const commandSchema = z.discriminatedUnion("type", commandSchemas);
export type Command = z.infer<typeof commandSchema>;
export type CommandOf<Type extends Command["type"]> = Extract<Command, { type: Type }>;

/** A command without what the connection adds: what `act` takes. */
export type CommandInput = Command extends infer C
  ? C extends Command
    ? Omit<C, "sessionId" | "timestamp" | "origin">
    : never
  : never;
