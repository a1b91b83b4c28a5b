import { z } from "zod";
import { blobField, durationField, lineField, refField, textField, urlField } from "../fields.js";
import {
  booleanField,
  browserConfigSchema,
  intField,
  jsonField,
  logFilterField,
  numberField,
  recoveryConfigSchema,
  withoutDefaults,
} from "./config.js";

const httpUrl = urlField
  .trim()
  .min(1, "must not be empty; give a whole URL such as http://localhost:3000/")
  .refine(
    (text) => URL.canParse(text),
    'must be a whole URL with its protocol, such as "http://localhost:3000/"',
  )
  .refine((text) => /^(https?|file):/i.test(text), {
    message:
      'must start with http:// or https://, such as "http://localhost:3000/"; file:// is for browsers started with --allow-files',
  });

/** A span of pixels; in XML as JSON text: `{"min": 100, "max": 120}`. */
const rangeObject = z
  .object({ min: z.number(), max: z.number() })
  .refine((range) => range.min <= range.max, { path: ["min"], message: "must not be above max" });

export const rangeSchema = jsonField(rangeObject, '{"min": 100, "max": 120}');
export type Range = z.infer<typeof rangeObject>;

/** What any action may ask for besides its own parameters. */
const shared = {
  screenshots: z.enum(["none", "after", "both"]).default("none"),
  /** Quality of the JPEGs. */
  quality: intField(1, 100).optional(),
  debug: booleanField.optional(),
  logFilter: logFilterField.optional(),
} as const;

const element = {
  targets: textField.min(1).optional(),
  selector: lineField.min(1).optional(),
  ref: refField.optional(),
} as const;

function action<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), ...shared, ...shape });
}

export const startActionSchema = action("start", {
  url: httpUrl,
  ...withoutDefaults(browserConfigSchema.shape),
  ...withoutDefaults(recoveryConfigSchema.shape),
});
export const navigateActionSchema = action("navigate", {
  url: httpUrl,
  waitUntil: z.enum(["load", "domcontentloaded", "networkidle0", "networkidle2"]).optional(),
  timeoutMs: intField(1, 600_000).optional(),
});
export const clickActionSchema = action("click", {
  ...element,
  xRange: rangeSchema.optional(),
  yRange: rangeSchema.optional(),
  visualVerify: booleanField.default(false),
  visualThreshold: numberField.pipe(z.number().min(0).max(1)).default(0.05),
  button: z.enum(["left", "right", "middle"]).default("left"),
})
  .refine(({ xRange, yRange }) => (xRange === undefined) === (yRange === undefined), {
    message: "a click by coordinates needs both xRange and yRange",
  })
  .refine((click) => click.targets ?? click.selector ?? click.ref ?? click.xRange, {
    message: "say what to click: targets, selector, ref, or both xRange and yRange",
  });
export const typeActionSchema = action("type", {
  ...element,
  text: textField,
  clear: booleanField.default(false),
  delay: intField(0, 1_000).default(0),
});
export const scrollActionSchema = action("scroll", {
  ...element,
  direction: z.enum(["up", "down", "left", "right"]).default("down"),
  amount: intField(0, 1_000_000).optional(),
});
export const screenshotActionSchema = action("screenshot", {
  quality: intField(1, 100).default(25),
  fullPage: booleanField.default(false),
  maxBytes: intField(1_000, 50_000_000).optional(),
});
export const stopActionSchema = action("stop", {});
export const pressActionSchema = action("press", { key: lineField.min(1), ...element });
export const hoverActionSchema = action("hover", element);
export const selectActionSchema = action("select", { ...element, value: lineField });
export const waitActionSchema = action("wait", {
  ...element,
  text: lineField.min(1).optional(),
  ms: numberField.pipe(durationField).optional(),
});
export const evaluateActionSchema = action("evaluate", { code: textField.min(1) });
export const diagnoseActionSchema = action("diagnose", {
  url: httpUrl.optional(),
  steps: intField(1, 50).optional(),
});

/** Looks at the page, or at a part of it. */
export const observeActionSchema = action("observe", {
  ...element,
  maxTokens: intField(50, 200_000).default(2_000),
  /** Where the last answer stopped. */
  cursor: lineField.min(1).optional(),
});
/** How the next `alert`, `confirm` or `prompt` is answered, or all that come. */
export const dialogActionSchema = action("dialog", {
  answer: z.enum(["accept", "dismiss"]),
  /** What to enter into a `prompt`. */
  text: textField.optional(),
  for: z.enum(["next", "all"]).default("next"),
});
const uploadedFile = z.union([
  z.strictObject({ name: lineField.min(1), mimeType: lineField.optional(), text: textField }),
  z.strictObject({ name: lineField.min(1), mimeType: lineField.optional(), data: blobField }),
  z.strictObject({ path: lineField.min(1) }),
]);
/** Chooses files for a file input. */
export const uploadActionSchema = action("upload", {
  ...element,
  files: jsonField(z.array(uploadedFile).max(20), '[{"name": "a.txt", "text": "hello"}]'),
});
/** Chooses the page that the next instructions are about: 1 is the first, those that it opened follow. */
export const switchActionSchema = action("switch", { page: intField(1, 100) });

/** One instruction of `browser_action`, after its XML became an object. */
export const browserInstructionSchema = z.discriminatedUnion("type", [
  startActionSchema,
  navigateActionSchema,
  clickActionSchema,
  typeActionSchema,
  scrollActionSchema,
  screenshotActionSchema,
  stopActionSchema,
  pressActionSchema,
  hoverActionSchema,
  selectActionSchema,
  waitActionSchema,
  evaluateActionSchema,
  diagnoseActionSchema,
  observeActionSchema,
  dialogActionSchema,
  uploadActionSchema,
  switchActionSchema,
]);
export type BrowserInstruction = z.infer<typeof browserInstructionSchema>;
export type BrowserInstructionInput = z.input<typeof browserInstructionSchema>;
