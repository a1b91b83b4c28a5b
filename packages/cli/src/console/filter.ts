import { type ConsoleLevel, similarity } from "@debug-bridge/protocol";
import { InvalidArgumentError } from "commander";
import type { ConsoleLine } from "./line.js";

/** Whether to show a line. */
export type Filter = (line: ConsoleLine) => boolean;

const HELP = "Use level:error,warn, tab:7, url:PART, text:PART, session:ID or /REGEX/i.";

const LEVELS: readonly string[] = ["error", "warn", "info", "log"] satisfies ConsoleLevel[];

/**
 * Parses one filter. What cannot match is refused: it would look like a page that prints nothing. For example `level:error,warn`, `tab:7`, `url:/orders`, `session:shop`, `text:saved`, `/regex/i`, or bare text.
 *
 * @example parseFilter("level:error,warn")
 */
export function parseFilter(text: string): Filter {
  const regex = /^\/(.+)\/([a-z]*)$/s.exec(text);
  if (regex) {
    const pattern = compile(regex[1] as string, regex[2] as string);
    return ({ plain }) => pattern.test(plain);
  }
  assertNoTypo(text);
  const [, key, value] = /^(level|tab|url|text|session):(.*)$/s.exec(text) ?? [undefined, "text", text];
  if (!value) throw new InvalidArgumentError(HELP);
  switch (key) {
    case "level": {
      const levels = new Set(value.split(","));
      for (const level of levels)
        if (!LEVELS.includes(level))
          throw new InvalidArgumentError(`Unknown level ${JSON.stringify(level)}; use ${LEVELS.join(", ")}.`);
      return ({ level }) => levels.has(level);
    }
    case "tab":
      if (!/^\d+$/.test(value))
        throw new InvalidArgumentError(`${JSON.stringify(value)} is not a tab; use its number, as in tab:7.`);
      return ({ tabId }) => String(tabId) === value;
    case "session":
      return ({ sessionId }) => sessionId === value;
    case "url":
      return ({ url }) => url.includes(value);
    default: {
      const wanted = value.toLowerCase();
      return ({ plain }) => plain.toLowerCase().includes(wanted);
    }
  }
}

const KEYS = ["level", "tab", "url", "text", "session"];

/** Text may have a colon. A word before it that is almost a key is a key with a mistake in it. */
function assertNoTypo(text: string): void {
  const [, word = ""] = /^([a-z]+):\S/.exec(text) ?? [];
  const meant = KEYS.includes(word) ? undefined : KEYS.find((key) => similarity(word, key) >= 0.6);
  if (meant === undefined) return;
  throw new InvalidArgumentError(
    `Unknown filter "${word}:"; did you mean ${meant}:? To look for this text, use text:${text}`,
  );
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags.replace(/[gy]/g, ""));
  } catch (thrown) {
    throw new InvalidArgumentError(`${(thrown as Error).message}. ${HELP}`);
  }
}

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90s`, `5m`, `2h`, or a time such as `2026-01-23T13:10`; returns milliseconds since the epoch. */
export function parseSince(text: string, now = Date.now()): number {
  const span = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  if (span) return now - Number(span[1]) * (UNITS[span[2] as string] as number);
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new InvalidArgumentError('Give a span such as "5m" or a time such as "2026-01-23T13:10".');
}
