import { type Chord, type PageInput, toTabPoint, viewOf } from "@debug-bridge/page";
import type { InputAction } from "../engine/link-messages.js";

/** Longer texts are inserted in one piece, as pasting does. */
const KEY_BY_KEY = 200;

export type CharKey = (char: string, shift?: boolean) => Omit<Chord, "modifiers">;

/** Input from outside the page: the engine asks for an action, and the driver performs it as trusted input. */
export function remoteInput(request: (action: InputAction) => Promise<unknown>, charKey: CharKey): PageInput {
  return {
    click: async (element, point, options) => {
      await request({ type: "click", at: toTabPoint(element, point), options });
      return true;
    },
    async hover(element, point) {
      await request({ type: "hover", at: toTabPoint(element, point) });
      return true;
    },
    async typeText(element, text) {
      const long = text.length > KEY_BY_KEY && !(element.localName === "input" && text.includes("\n"));
      if (long) await request({ type: "insert", text });
      else await request({ type: "keys", chords: [...text].map((char) => chordOf(char, charKey)) });
    },
    async press(_element, chord) {
      await request({ type: "keys", chords: [chord] });
      return true;
    },
    async drag(source, from, target, reach) {
      await request({ type: "grab", at: toTabPoint(source, from), nudge: !isInView(target) });
      const way = reach().map((point) => toTabPoint(target, point));
      await request({ type: "drop", way });
    },
  };
}

function chordOf(char: string, charKey: CharKey): Chord {
  const shift = /[A-Z]/.test(char);
  return { ...charKey(char, shift), modifiers: shift ? ["Shift"] : [] };
}

function isInView(element: Element): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const { innerWidth, innerHeight } = viewOf(element);
  return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}
