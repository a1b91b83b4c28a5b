import { z } from "zod";
import { lineField, urlField } from "../fields.js";

/** XML carries only text: "true", "12" and '{"min": 1}' are read as what they say. */
export const booleanField = z.union([z.boolean(), z.stringbool({ truthy: ["true"], falsy: ["false"] })]);
export const numberField = z.union([
  z.number(),
  z
    .string()
    .trim()
    .regex(/^-?\d+(\.\d+)?$/, "must be a number")
    .transform(Number),
]);

export const intField = (min: number, max: number) => numberField.pipe(z.int().min(min).max(max));

/** How the browser is launched. */
export const browserConfigSchema = z.object({
  headless: booleanField.default(true),
  /** Keeps screenshots with their metadata, and explains decisions in the logs. */
  debug: booleanField.default(false),
  userDataDir: urlField.optional(),
  /** A profile that is thrown away afterwards. */
  tempProfile: booleanField.default(false),
  width: intField(100, 10_000).default(1280),
  height: intField(100, 10_000).default(800),
  deviceScaleFactor: numberField.pipe(z.number().min(0.1).max(5)).default(1),
  timeoutMs: intField(1, 600_000).default(15_000),
  waitUntil: z.enum(["load", "domcontentloaded", "networkidle0", "networkidle2"]).default("load"),
});

/** When to give up, and what to try again. */
export const recoveryConfigSchema = z.object({
  maxConsecutiveErrors: intField(1, 1_000).default(3),
  totalErrorThreshold: intField(1, 10_000).default(10),
  maxRetries: intField(0, 20).default(3),
  retryDelay: intField(0, 60_000).default(1_000),
  retryOnErrors: z
    .array(lineField)
    .max(100)
    .default([
      "TargetClosedError",
      "ConnectionClosedError",
      "detached Frame",
      "Session closed",
      "Protocol error",
    ]),
});

/** What the response's logs include. */
export const logFilterSchema = z.object({
  types: z
    .array(z.enum(["error", "warning", "info", "debug", "verbose"]))
    .max(5)
    .optional(),
  categories: z.array(lineField).max(20).optional(),
  minSeverity: intField(0, 4).optional(),
});

/** Everything that configures a browser, from launch to shutdown. */
export const runnerConfigSchema = z.object({
  ...browserConfigSchema.shape,
  ...recoveryConfigSchema.shape,
  logFilter: logFilterSchema.optional(),
});
export type RunnerConfig = z.infer<typeof runnerConfigSchema>;
/** What a caller may leave out. */
export type RunnerConfigInput = z.input<typeof runnerConfigSchema>;
