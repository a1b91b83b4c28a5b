import { maskUrl } from "@debug-bridge/driver";
import { type Command, MASK } from "@debug-bridge/protocol";

/** A command as the timeline keeps it: with its sender, and without typed text and the secrets of a URL. */
export function maskedCommand(command: Command, client: string): string {
  return JSON.stringify({ ...command, client, ...withoutSecrets(command) });
}

function withoutSecrets(command: Command): object {
  if (command.type === "type") return { text: MASK };
  if (command.type === "dialog") return command.text === undefined ? {} : { text: MASK };
  if (command.type === "set_files")
    return { files: command.files.map((file) => ("data" in file ? { ...file, data: MASK } : file)) };
  return command.type === "navigate" ? { url: maskUrl(command.url) } : {};
}

/** What must not be in the record of a command's result. */
export function typedText(command: Command): string | undefined {
  const typed = command.type === "type" || command.type === "dialog" ? command.text : undefined;
  return typed === "" ? undefined : typed;
}

/** Members of a result that say what happened; the others are names of ours. */
const MASKED_FIELDS = ["result", "value", "receipt", "message", "details", "state"];
/** Shorter texts are parts of other words; they are hidden where they are a whole value. */
const MIN_HIDDEN = 4;

/** The result of a command as the timeline keeps it: without the text that the command typed. */
export function maskedResult(text: string, typed: string | undefined): string {
  if (typed === undefined) return text;
  const result = JSON.parse(text) as Record<string, unknown>;
  for (const key of MASKED_FIELDS) if (key in result) result[key] = hideTyped(result[key], typed);
  return JSON.stringify(result);
}

function hideTyped(value: unknown, typed: string): unknown {
  if (typeof value === "string") {
    if (value === typed) return MASK;
    return typed.length < MIN_HIDDEN
      ? value.replaceAll(JSON.stringify(typed), `"${MASK}"`)
      : value.replaceAll(typed, MASK);
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => hideTyped(item, typed));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, hideTyped(member, typed)]));
}
