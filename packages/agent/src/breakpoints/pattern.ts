import { createContext, Script } from "node:vm";
import { BridgeError } from "@debug-bridge/protocol";

/** How long one match may take. What takes longer is a pattern that backtracks without end. */
const MATCH_WITHIN_MS = 50;
/** How often a match is tried again when the machine was busy with something else. */
const MOST_TRIES = 20;
const PROBE_LENGTH = 2_000;
const MAX_PROBES = 12;

const script = new Script("regex.test(text)");
/** Where all patterns are tried: to make one for each takes longer than to match, and much memory. */
let shared: { regex: RegExp | undefined; text: string } | undefined;

/**
 * A regular expression that cannot hang the agent. JavaScript has no linear-time engine that can be counted on, and to
 * tell bad patterns from good ones by their text is guesswork; so the match runs under a watchdog of the engine, which
 * ends it within 50 ms. Patterns are tried on what usually hurts when they are added, and refused then.
 */
export class Pattern {
  private readonly regex: RegExp;

  constructor(readonly source: string) {
    try {
      this.regex = new RegExp(source);
    } catch (thrown) {
      throw new BridgeError(
        "invalid_message",
        `${(thrown as Error).message}; write it as in JavaScript, without slashes`,
      );
    }
  }

  /** Compiles a pattern, and refuses one that backtracks without end on simple text. */
  static checked(source: string): Pattern {
    const pattern = new Pattern(source);
    for (const text of probes(source)) {
      try {
        pattern.test(text);
      } catch {
        throw new BridgeError(
          "invalid_message",
          `the pattern ${JSON.stringify(source)} takes too long on simple text, for it can match in too many ways; avoid nested repeats such as (a+)+`,
        );
      }
    }
    return pattern;
  }

  /** Whether it matches; throws when that takes too long. */
  test(text: string): boolean {
    shared ??= createContext(Object.create(null)) as { regex: RegExp | undefined; text: string };
    const context = Object.assign(shared, { regex: this.regex, text });
    try {
      for (let tries = 1; ; tries++) {
        const before = process.cpuUsage();
        try {
          return script.runInContext(context, { timeout: MATCH_WITHIN_MS }) as boolean;
        } catch {
          if (tries < MOST_TRIES && wasHeldUp(before)) continue;
          throw new BridgeError(
            "timeout",
            `the pattern ${JSON.stringify(this.source)} found no answer within ${MATCH_WITHIN_MS} ms`,
          );
        }
      }
    } finally {
      Object.assign(context, { regex: undefined, text: "" });
    }
  }
}

/** Whether time passed in which this process computed little: then the machine is busy, and the pattern may be harmless. */
function wasHeldUp(before: NodeJS.CpuUsage): boolean {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 < MATCH_WITHIN_MS / 2;
}

/** Long runs of the characters that a pattern names, with an end that does not match. */
function probes(source: string): string[] {
  const characters = [...new Set(["a", "0", " ", ...source.replaceAll(/[^A-Za-z0-9 _/.-]/g, "")])];
  return characters.slice(0, MAX_PROBES).map((character) => `${character.repeat(PROBE_LENGTH)}\u0000`);
}
