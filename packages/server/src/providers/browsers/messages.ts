import { z } from "zod";

/** A request for a browser, as it lies in the queue. */
const taskSchema = z.object({
  /** The id of the session that the browser is going to have. */
  id: z.string().regex(/^browser-[0-9a-f]{12}$/),
  /** The hub that somebody asked, and that waits for an answer. */
  hub: z.string().max(200),
  leaseMs: z.int().min(1),
});
export type BrowserTask = z.infer<typeof taskSchema>;

/** What a hub that works on a request sends to the one that waits. It answers whether somebody still wants the browser. */
const progressSchema = z.object({
  kind: z.literal("browser"),
  id: z.string().max(100),
  state: z.enum(["starting", "ready", "failed"]),
  hub: z.string().max(200),
  message: z.string().max(2_000).optional(),
});
export type BrowserProgress = z.infer<typeof progressSchema>;

export const readTask = (text: string): BrowserTask | undefined => read(taskSchema, text);
export const readProgress = (text: string): BrowserProgress | undefined => read(progressSchema, text);

function read<Value>(schema: z.ZodType<Value>, text: string): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
