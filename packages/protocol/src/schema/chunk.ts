import { z } from "zod";
import { CHUNK_BYTES } from "../limits.js";
import { idField } from "./fields.js";

/** A part of a message above 200 KB. Exists only between our own peers, which join the parts. */
export const chunkSchema = z
  .object({
    type: z.literal("chunk"),
    chunkId: idField,
    index: z.int().min(0).max(4_095),
    total: z.int().min(1).max(4_096),
    data: z.string().max(CHUNK_BYTES),
  })
  .refine((chunk) => chunk.index < chunk.total, { path: ["index"], message: "must be below total" });

export type Chunk = z.infer<typeof chunkSchema>;
