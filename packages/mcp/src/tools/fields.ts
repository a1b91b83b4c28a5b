import { z } from "zod";

export const sessionField = z
  .string()
  .optional()
  .describe("id of a session; may be left out while only one is connected");

export const maxTokensField = z
  .int()
  .min(100)
  .max(50_000)
  .optional()
  .describe("budget of the answer; 2,000 when left out");

export const targetField = z
  .object({
    ref: z.string().optional().describe("from observe, such as e12"),
    text: z.string().optional(),
    role: z.string().optional(),
    name: z.string().optional().describe("with role"),
    selector: z.string().optional(),
    id: z.string().optional(),
  })
  .describe("one of ref, text, role with name, selector, id");
