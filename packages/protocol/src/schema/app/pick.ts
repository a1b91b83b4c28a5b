import { z } from "zod";
import { blobField, filledLineField, lineField, refField, textField, urlField } from "../fields.js";
import { fromAgent, fromApp } from "./base.js";

/** Lets the person at the page pick an element: it answers when they have, or have cancelled. */
export const pickSchema = fromAgent("pick", {});

/** An element that the person picked, for the agents. */
export const pickedSchema = fromApp("picked", {
  ref: refField.optional(),
  role: filledLineField,
  name: lineField,
  html: textField,
  /** File and line that the element comes from, if the page says it. */
  source: lineField.optional(),
  /** Some of its computed styles, by property. */
  styles: z.record(z.string(), lineField),
  /** The newest errors of the page. */
  errors: z.array(textField).max(5),
  url: urlField,
  /** What it looks like, of tabs and launched browsers: a JPEG in base64. */
  picture: z.object({ mimeType: z.literal("image/jpeg"), data: blobField }).optional(),
});
export type Picked = z.infer<typeof pickedSchema>;
