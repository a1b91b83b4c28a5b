import { CONSOLE_LIMITS, MASK } from "@debug-bridge/protocol";
import { indexOfText } from "../natives.js";
import { isSecretInFormat } from "../secrets/format-secrets.js";
import { serialize } from "./serialize.js";
import { createBudget, type SerializeOptions } from "./serialize-budget.js";

const MAX_ARGUMENTS = CONSOLE_LIMITS.args;

/**
 * The arguments of one console call, as the JSON text of a list of `ConsoleArgument`s, within one budget. Format
 * specifiers are not applied here: the reader that shows the line does that.
 *
 * @param formatAt index of the argument that may be a format; 1 where a label comes first
 */
export function serializeArguments(
  args: readonly unknown[],
  options: SerializeOptions,
  formatAt = 0,
): string {
  const budget = createBudget(options);
  const { censor } = budget;
  const format = args[formatAt];
  const isFormat = typeof format === "string" && indexOfText(format, "%") !== -1;
  const shown = args.length > MAX_ARGUMENTS ? MAX_ARGUMENTS - 1 : args.length;
  let text = "";
  for (let i = 0; i < shown; i++) {
    const isSecret =
      isFormat &&
      i > formatAt &&
      isPrimitive(args[i]) &&
      isSecretInFormat(format, i - formatAt - 1, (name) => censor.hides(name, undefined));
    text += `${i === 0 ? "" : ","}${serialize(isSecret ? MASK : args[i], budget)}`;
  }
  if (args.length > shown) text += `,{"type":"string","value":"… [${args.length - shown} more arguments]"}`;
  return `[${text}]`;
}

const isPrimitive = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "bigint";
