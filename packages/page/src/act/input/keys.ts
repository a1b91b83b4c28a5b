import { BridgeError } from "@debug-bridge/protocol";
import type { Modifier } from "../../input.js";

/** A key with the modifiers that are held. */
export interface Chord {
  /** As `KeyboardEvent.key`. */
  readonly key: string;
  /** As `KeyboardEvent.code`, on a US keyboard. */
  readonly code: string;
  readonly keyCode: number;
  readonly modifiers: readonly Modifier[];
}

/** Maps, not objects: `__proto__` is a word like any other. */
const MODIFIERS: ReadonlyMap<string, Modifier> = new Map<string, Modifier>(
  Object.entries({
    alt: "Alt",
    option: "Alt",
    control: "Control",
    ctrl: "Control",
    meta: "Meta",
    cmd: "Meta",
    command: "Meta",
    shift: "Shift",
  }),
);

const NAMED: ReadonlyMap<string, readonly [key: string, keyCode: number]> = new Map(
  Object.entries({
    enter: ["Enter", 13],
    return: ["Enter", 13],
    tab: ["Tab", 9],
    escape: ["Escape", 27],
    esc: ["Escape", 27],
    backspace: ["Backspace", 8],
    delete: ["Delete", 46],
    space: [" ", 32],
    arrowup: ["ArrowUp", 38],
    arrowdown: ["ArrowDown", 40],
    arrowleft: ["ArrowLeft", 37],
    arrowright: ["ArrowRight", 39],
    home: ["Home", 36],
    end: ["End", 35],
    pageup: ["PageUp", 33],
    pagedown: ["PageDown", 34],
    insert: ["Insert", 45],
    shift: ["Shift", 16],
    control: ["Control", 17],
    alt: ["Alt", 18],
    meta: ["Meta", 91],
  } satisfies Record<string, [string, number]>),
);

/**
 * Parses a key combination. The last part is the key; a plus sign is written as `+`.
 *
 * @example parseChord("Control+Shift+a") // { key: "A", code: "KeyA", modifiers: ["Control", "Shift"], … }
 * @example parseChord("Control++") // { key: "+", modifiers: ["Control"], … }
 */
export function parseChord(text: string): Chord {
  const parts =
    text === "+" ? ["+"] : text.endsWith("++") ? [...text.slice(0, -2).split("+"), "+"] : text.split("+");
  const last = parts.pop() ?? "";
  const modifiers = parts.map((part) => {
    const modifier = MODIFIERS.get(part.trim().toLowerCase());
    if (!modifier) throw invalid(text, `"${part}" is not a modifier; use Alt, Control, Meta or Shift`);
    return modifier;
  });
  return keyChord(last === " " ? last : last.trim(), [...new Set(modifiers)], text);
}

function keyChord(name: string, modifiers: readonly Modifier[], text: string): Chord {
  const named = NAMED.get(name.toLowerCase());
  if (named) {
    const [key, keyCode] = named;
    return { key, code: key === " " ? "Space" : key, keyCode, modifiers };
  }
  const functionKey = /^f([1-9]|1[0-2])$/i.exec(name);
  if (functionKey) {
    const key = name.toUpperCase();
    return { key, code: key, keyCode: 111 + Number(functionKey[1]), modifiers };
  }
  if ([...name].length === 1) return { ...charKey(name, modifiers.includes("Shift")), modifiers };
  throw invalid(
    text,
    `"${name}" is not a key; use a character or a name like Enter, Tab, Escape, ArrowDown, F5`,
  );
}

/** The key that types a character. */
export function charKey(char: string, shift = false): Omit<Chord, "modifiers"> {
  if (/^[a-z]$/i.test(char)) {
    const upper = char.toUpperCase();
    return { key: shift ? upper : char, code: `Key${upper}`, keyCode: upper.charCodeAt(0) };
  }
  if (/^\d$/.test(char)) return { key: char, code: `Digit${char}`, keyCode: char.charCodeAt(0) };
  if (char === "\n") return { key: "Enter", code: "Enter", keyCode: 13 };
  return { key: char, code: char === " " ? "Space" : "", keyCode: char === " " ? 32 : 0 };
}

function invalid(text: string, why: string): BridgeError {
  return new BridgeError("invalid_message", `cannot press "${text}": ${why}`, { field: "key" });
}
