import { z } from "zod";
import { CONSOLE_LIMITS } from "../../limits.js";
import { stripControlCharacters } from "../../text/text.js";
import { withFastPath } from "../fields.js";

/** Room for the mark that shows how much was cut. */
const CUT_MARK = 64;
const MAX_CHARACTERS = CONSOLE_LIMITS.stringBytes + CUT_MARK;

/**
 * A string that may end up in a terminal: bounded, and without control characters. One check does both, since every
 * event has many strings.
 */
export const safeText = withFastPath(
  z
    .string()
    .check((context) => {
      if (context.value.length > MAX_CHARACTERS) {
        context.issues.push({
          code: "too_big",
          origin: "string",
          maximum: MAX_CHARACTERS,
          input: context.value,
          message: `must have at most ${MAX_CHARACTERS} characters; cut it`,
        });
      }
      context.value = stripControlCharacters(context.value);
    })
    .meta({ maxLength: MAX_CHARACTERS }),
  (value) =>
    typeof value === "string" && value.length <= MAX_CHARACTERS && stripControlCharacters(value) === value,
);

const className = safeText.optional();
/** How many keys or items were left out because of the limits. */
const omitted = z.int().min(1).optional();

const stringArg = z.object({ type: z.literal("string"), value: safeText });
const numberArg = z.object({
  type: z.literal("number"),
  /** JSON has no NaN, infinities, negative zero or BigInt: those come as text. */
  value: z.union([z.number(), z.string().regex(/^(NaN|-?Infinity|-0|-?\d{1,10000}n)$/)]),
});
const booleanArg = z.object({ type: z.literal("boolean"), value: z.boolean() });
const nullArg = z.object({ type: z.literal("null"), value: z.null().optional() });
const undefinedArg = z.object({ type: z.literal("undefined"), value: z.null().optional() });
const functionArg = z.object({
  type: z.literal("function"),
  value: safeText.optional(),
  name: safeText.optional(),
  className,
});
const domArg = z.object({ type: z.literal("dom"), value: safeText.optional(), tagName: safeText, className });
const circularArg = z.object({ type: z.literal("circular"), value: safeText.optional(), className });

const objectBase = z.object({ type: z.literal("object"), className, omitted });
const arrayBase = z.object({ type: z.literal("array"), className, omitted });
const errorBase = z.object({
  type: z.literal("error"),
  value: safeText,
  className,
  stack: safeText.optional(),
});

const leafSchema = z.discriminatedUnion("type", [
  stringArg,
  numberArg,
  booleanArg,
  nullArg,
  undefinedArg,
  functionArg,
  domArg,
  circularArg,
]);

/**
 * One argument of a console call, as data. The recursion is written out here, since declaration files cannot carry an
 * inferred one; everything else is inferred. An object's or array's value is text for what prints as one value (Date,
 * RegExp, Symbol …) or lies too deep.
 */
export type ConsoleArgument =
  | z.infer<typeof leafSchema>
  | (z.infer<typeof objectBase> & { value: string | Record<string, ConsoleArgument> })
  | (z.infer<typeof arrayBase> & { value: string | ConsoleArgument[] })
  | (z.infer<typeof errorBase> & { cause?: ConsoleArgument | undefined });

export const consoleArgumentSchema: z.ZodType<ConsoleArgument> = z.discriminatedUnion("type", [
  ...leafSchema.options,
  objectBase.extend({
    get value() {
      return z.union([safeText, z.record(safeText, consoleArgumentSchema)]);
    },
  }),
  arrayBase.extend({
    get value() {
      return z.union([safeText, z.array(consoleArgumentSchema).max(CONSOLE_LIMITS.arrayItems)]);
    },
  }),
  errorBase.extend({
    get cause() {
      return consoleArgumentSchema.optional();
    },
  }),
]);

/** One argument within the limits of depth and keys. */
export const boundedArgumentSchema = consoleArgumentSchema.superRefine((argument, context) => {
  const message = findArgumentExcess(argument);
  if (message) context.addIssue({ code: "custom", message });
});

/** What is too much about an argument: its depth, or the keys of one of its objects. `undefined` when it fits. */
export function findArgumentExcess(argument: ConsoleArgument): string | undefined {
  if (membersOf(argument).length === 0) return undefined;
  let level: ConsoleArgument[] = [argument];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > CONSOLE_LIMITS.depth) {
      return `nests deeper than ${CONSOLE_LIMITS.depth} levels; replace what lies deeper by text`;
    }
    const next: ConsoleArgument[] = [];
    for (const arg of level) {
      const members = membersOf(arg);
      if (arg.type === "object" && members.length > CONSOLE_LIMITS.objectKeys) {
        return `has more than ${CONSOLE_LIMITS.objectKeys} keys; send the first ones and count the rest in "omitted"`;
      }
      for (const member of members) next.push(member);
    }
    level = next;
  }
  return undefined;
}

const NONE: ConsoleArgument[] = [];

function membersOf(argument: ConsoleArgument): ConsoleArgument[] {
  if (argument.type === "error") return argument.cause ? [argument.cause] : NONE;
  if (argument.type !== "object" && argument.type !== "array") return NONE;
  return typeof argument.value === "object" ? Object.values(argument.value) : NONE;
}
