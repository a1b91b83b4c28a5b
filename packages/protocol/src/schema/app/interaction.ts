import { z } from "zod";
import { countField, filledLineField, lineField, textField, urlField } from "../fields.js";
import { fromAgent, fromApp } from "./base.js";

/** One way to find an element again, in another page load and after other actions. */
export const locatorSchema = z.object({
  by: z.enum(["testid", "role", "label", "placeholder", "text", "css"]),
  /** The test id, the label, the placeholder, the text or the selector; the accessible name of a role. */
  value: lineField,
  /** The attribute of a test id, if it is not `data-testid`. */
  attribute: filledLineField.optional(),
  role: filledLineField.optional(),
  /** Which of several equal matches, from 0. */
  nth: countField.optional(),
  /** The row, list item or section around it, by its role and a text in it. */
  inside: z.object({ role: filledLineField, text: filledLineField }).optional(),
});
export type Locator = z.infer<typeof locatorSchema>;

export const INTERACTIONS = [
  "click",
  "dblclick",
  "fill",
  "select",
  "check",
  "uncheck",
  "press",
  "scroll",
  "upload",
] as const;

/** Something that the person or an agent did in the page, reported while actions are recorded. */
export const interactionSchema = fromApp("interaction", {
  action: z.enum(INTERACTIONS),
  /** Ways to find the element, the most robust first; none for the page itself. */
  locators: z.array(locatorSchema).max(8),
  /** What was filled in or selected. */
  value: textField.optional(),
  /** Set instead of `value` when it must not be seen: the name under which a replay asks for it. */
  secret: filledLineField.optional(),
  /** The field was left after it was filled in, so that the app got a `change` event. */
  committed: z.boolean().optional(),
  /** As `KeyboardEvent.key`, with modifiers. */
  key: filledLineField.optional(),
  button: z.enum(["right", "middle"]).optional(),
  modifiers: z
    .array(z.enum(["Alt", "Control", "Meta", "Shift"]))
    .max(4)
    .optional(),
  /** Where a scroll ended. */
  x: z.number().optional(),
  y: z.number().optional(),
  /** Names of chosen files. */
  files: z.array(lineField).max(20).optional(),
  /** Made by a script: by an agent through the SDK, or by the app itself. */
  synthetic: z.boolean().optional(),
  url: urlField,
});
export type Interaction = z.infer<typeof interactionSchema>;

/** The surroundings that a replay needs, reported when recording starts in a page. */
export const recordingStartSchema = fromApp("recording_start", {
  url: urlField,
  timeZone: lineField,
  language: lineField,
  width: countField,
  height: countField,
  /** With what `Math.random` was seeded; not known when left out. */
  seed: countField.optional(),
});
export type RecordingStart = z.infer<typeof recordingStartSchema>;

/** Starts or ends the report of interactions and of bodies of requests. */
export const recordActionsSchema = fromAgent("record_actions", {
  on: z.boolean(),
  /** The page was loaded while it was recorded: what was done in its first seconds, before this came, is reported too. */
  fromStart: z.boolean().optional(),
});
