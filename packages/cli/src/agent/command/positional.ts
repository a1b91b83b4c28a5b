import type { Command } from "commander";
import { isSession, type SessionChoice } from "../session/choose-session.js";

/** The words of a command that may begin with a session. */
export interface Positional {
  readonly session?: string;
  readonly words: readonly string[];
}

/**
 * Splits `[SESSION] WORD…`: with one word more than the command needs, the first is the session. Ends with exit code 2
 * when there are too few or too many words.
 *
 * @example splitSession(command, ["ab12", "user", "Hello"], { needs: 2 }) // { session: "ab12", words: ["user", "Hello"] }
 */
export function splitSession(
  command: Command,
  given: readonly string[],
  { needs, max = needs }: { readonly needs: number; readonly max?: number },
): Positional {
  if (given.length < needs) command.error(`error: missing argument; usage: ${usageOf(command)}`);
  if (given.length > max + 1) command.error(`error: too many arguments; usage: ${usageOf(command)}`);
  if (given.length > max) return { session: given[0] as string, words: given.slice(1) };
  return { words: given };
}

/** The same where the first of the optional words is a session only if there is one with that name. */
export function splitKnownSession(
  command: Command,
  given: readonly string[],
  options: SessionChoice,
): Positional {
  if (given.length !== 1) return splitSession(command, given, { needs: 0, max: 1 });
  const [word = ""] = given;
  return isSession(word, options) ? { session: word, words: [] } : { words: [word] };
}

/** The session of the command: the option, else the word. */
export function withWord<Options extends SessionChoice>(options: Options, { session }: Positional): Options {
  return session === undefined || options.session !== undefined ? options : { ...options, session };
}

function usageOf(command: Command): string {
  const names: string[] = [];
  for (let each: Command | null = command; each; each = each.parent)
    if (each.name()) names.unshift(each.name());
  return `${names.join(" ")} ${command.usage()}`;
}
