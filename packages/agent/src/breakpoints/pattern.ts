import { createContext, Script } from "node:vm";
import { BridgeError } from "@debug-bridge/protocol";

/** How long one match may take. A pattern that takes longer backtracks endlessly. */
const MATCH_TIMEOUT_MS = 50;
/** How often a match is tried again when the machine was busy with other processes. */
const MAX_TRIES = 20;
const PROBE_LENGTH = 2_000;
const MAX_PROBES = 12;

const script = new Script("regex.test(text)");
/** One context for all patterns: creating a context takes longer than a match, and a lot of memory. */
let shared: { regex: RegExp | undefined; text: string } | undefined;

/**
 * A regular expression that cannot hang the agent. JavaScript has no linear-time engine that is available everywhere,
 * and the source of a pattern does not show whether it is safe. So each match runs with the engine's own timeout of
 * 50 ms. New patterns are tested on text that typically causes backtracking, and rejected if they time out.
 */
export class Pattern {
  private readonly regex: RegExp;

  constructor(readonly source: string) {
    try {
      this.regex = new RegExp(source);
    } catch (thrown) {
      throw new BridgeError(
        "invalid_message",
        `${(thrown as Error).message}; use JavaScript syntax without slashes`,
      );
    }
  }

  /** Compiles a pattern; rejects one that backtracks endlessly on simple text. */
  static checked(source: string): Pattern {
    const pattern = new Pattern(source);
    for (const text of probes(source)) {
      try {
        pattern.test(text);
      } catch {
        throw new BridgeError(
          "invalid_message",
          `the pattern ${JSON.stringify(source)} takes too long on simple text because it can match in too many ways; avoid nested repeats such as (a+)+`,
        );
      }
    }
    return pattern;
  }

  /** Returns whether the text matches; throws when that takes too long. */
  test(text: string): boolean {
    shared ??= createContext(Object.create(null)) as { regex: RegExp | undefined; text: string };
    const context = Object.assign(shared, { regex: this.regex, text });
    try {
      for (let tries = 1; ; tries++) {
        const before = process.cpuUsage();
        try {
          return script.runInContext(context, { timeout: MATCH_TIMEOUT_MS }) as boolean;
        } catch {
          if (tries < MAX_TRIES && wasHeldUp(before)) continue;
          throw new BridgeError(
            "timeout",
            `the pattern ${JSON.stringify(this.source)} did not finish within ${MATCH_TIMEOUT_MS} ms`,
          );
        }
      }
    } finally {
      Object.assign(context, { regex: undefined, text: "" });
    }
  }
}

/** Whether this process got little processor time: then the machine is busy and the pattern may be harmless. */
function wasHeldUp(before: NodeJS.CpuUsage): boolean {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 < MATCH_TIMEOUT_MS / 2;
}

/** Long runs of the characters in a pattern, with an end that does not match. */
function probes(source: string): string[] {
  const characters = [...new Set(["a", "0", " ", ...source.replaceAll(/[^A-Za-z0-9 _/.-]/g, "")])];
  return characters.slice(0, MAX_PROBES).map((character) => `${character.repeat(PROBE_LENGTH)}\u0000`);
}
