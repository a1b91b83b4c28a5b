import { z } from "zod";
import { lineField, urlField } from "../fields.js";

/** XML carries only text: "true", "12" and '{"min": 1}' are converted to the values that they spell. */
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

/** A value that XML carries as JSON text, such as `{"min": 1, "max": 2}`; an object is used unchanged. */
export function jsonField<Schema extends z.ZodType>(schema: Schema, example: string) {
  const parsed = z.string().transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: `must be JSON such as '${example}'` });
      return z.NEVER;
    }
  });
  return z.union([schema, parsed.pipe(schema)]);
}

export const LOG_TYPES = ["error", "warning", "info", "debug", "verbose"] as const;

/** How the browser is launched. */
export const browserConfigSchema = z.object({
  headless: booleanField.default(true),
  /** Keeps screenshots with their metadata, and explains decisions in the logs. */
  debug: booleanField.default(false),
  userDataDir: urlField.optional(),
  /** A temporary profile, deleted afterwards. */
  tempProfile: booleanField.default(false),
  width: intField(100, 10_000).default(1280),
  height: intField(100, 10_000).default(800),
  deviceScaleFactor: numberField.pipe(z.number().min(0.1).max(5)).default(1),
  timeoutMs: intField(1, 600_000).default(15_000),
  waitUntil: z.enum(["load", "domcontentloaded", "networkidle0", "networkidle2"]).default("load"),
  /** Accepts certificates that are not trusted, of servers on this machine only. */
  acceptInsecureCerts: booleanField.default(false),
  /** Reports headers and bodies of requests, masked and cut. */
  networkDetails: booleanField.default(false),
});

/** When to give up, and what to retry. */
export const recoveryConfigSchema = z.object({
  maxConsecutiveErrors: intField(1, 1_000).default(3),
  totalErrorThreshold: intField(1, 10_000).default(10),
  maxRetries: intField(0, 20).default(3),
  retryDelay: intField(0, 60_000).default(1_000),
  /** Parts of an error's name or message; other errors are not retried. */
  retryOnErrors: jsonField(z.array(lineField.min(1)).max(100), '["Session closed"]').default([
    "TargetClosedError",
    "ConnectionClosedError",
    "detached Frame",
    "frame was detached",
    "Session closed",
    "Protocol error",
    "Page crashed",
  ]),
});

/** What the response's logs include. */
export const logFilterSchema = z.object({
  types: z.array(z.enum(LOG_TYPES)).max(5).optional(),
  categories: z.array(lineField).max(20).optional(),
  /** 0 verbose, 1 debug, 2 info, 3 warning, 4 error. */
  minSeverity: intField(0, 4).optional(),
});
export type LogFilter = z.infer<typeof logFilterSchema>;

export const logFilterField = jsonField(logFilterSchema, '{"types": ["error"]}');

/** Everything that configures a browser, from launch to shutdown. */
export const runnerConfigSchema = z.object({
  ...browserConfigSchema.shape,
  ...recoveryConfigSchema.shape,
  logFilter: logFilterField.optional(),
});
export type RunnerConfig = z.infer<typeof runnerConfigSchema>;
/** What a caller may leave out. */
export type RunnerConfigInput = z.input<typeof runnerConfigSchema>;

type WithoutDefaults<Shape extends z.ZodRawShape> = {
  [Field in keyof Shape]: z.ZodOptional<
    Shape[Field] extends z.ZodDefault<infer Inner extends z.ZodType> ? Inner : Shape[Field]
  >;
};

/** The fields as an instruction has them: what it leaves out stays open, for the caller's settings to decide. */
export function withoutDefaults<Shape extends z.ZodRawShape>(shape: Shape): WithoutDefaults<Shape> {
  const fields = Object.entries(shape).map(([name, field]) => [
    name,
    z.optional(field instanceof z.ZodDefault ? field.unwrap() : field),
  ]);
  return Object.fromEntries(fields) as WithoutDefaults<Shape>;
}
