import { z } from "zod";
import { idField, isoField, lineField, urlField } from "../fields.js";

/** `session.json`: what a session is, written once by the process that owns it. */
export const sessionFileSchema = z.looseObject({
  id: idField,
  pid: z.int().min(1),
  startTime: isoField,
  cwd: urlField,
  kind: lineField.optional(),
  name: lineField.optional(),
  provider: lineField.optional(),
  model: lineField.optional(),
  endTime: isoField.optional(),
});
export type SessionFile = z.infer<typeof sessionFileSchema>;

/** `index.json`: the sessions whose process is running. Derived from the `session.json` files. */
export const indexFileSchema = z.object({
  sessions: z
    .array(sessionFileSchema.pick({ id: true, pid: true, startTime: true, cwd: true }).loose())
    .max(100_000),
});
export type IndexFile = z.infer<typeof indexFileSchema>;
