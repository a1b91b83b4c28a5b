import type { Chord, PageInput, Point } from "@debug-bridge/page";
import type { InputAction } from "../link-messages.js";

/** Longer texts are inserted in one piece, as pasting does. */
const KEY_BY_KEY = 200;

export type CharKey = (char: string, shift?: boolean) => Omit<Chord, "modifiers">;

/** Hands outside the page: what the engine wants done is asked for, and done by trusted input. */
export function remoteInput(ask: (action: InputAction) => Promise<unknown>, charKey: CharKey): PageInput {
  return {
    click: async (element, point, options) =>
      void (await ask({ type: "click", at: inTab(element, point), options })),
    hover: async (element, point) => void (await ask({ type: "hover", at: inTab(element, point) })),
    async typeText(element, text) {
      const long = text.length > KEY_BY_KEY && !(element.localName === "input" && text.includes("\n"));
      if (long) await ask({ type: "insert", text });
      else await ask({ type: "keys", chords: [...text].map((char) => chordOf(char, charKey)) });
    },
    async press(_element, chord) {
      await ask({ type: "keys", chords: [chord] });
      return true;
    },
    async drag(source, from, target, reach) {
      await ask({ type: "grab", at: inTab(source, from) });
      await ask({ type: "drop", at: inTab(target, reach()) });
    },
  };
}

function chordOf(char: string, charKey: CharKey): Chord {
  const shift = /[A-Z]/.test(char);
  return { ...charKey(char, shift), modifiers: shift ? ["Shift"] : [] };
}

/** A point of an element's own document, in the viewport of the tab. */
export function inTab(element: Element, { x, y }: Point): Point {
  let at = { x, y };
  let view = element.ownerDocument.defaultView;
  for (let frame = frameOf(view); frame; frame = frameOf(view)) {
    const box = frame.getBoundingClientRect();
    const style = frame.ownerDocument.defaultView?.getComputedStyle(frame);
    at = {
      x: at.x + box.left + frame.clientLeft + (Number.parseFloat(style?.paddingLeft ?? "0") || 0),
      y: at.y + box.top + frame.clientTop + (Number.parseFloat(style?.paddingTop ?? "0") || 0),
    };
    view = frame.ownerDocument.defaultView;
  }
  return at;
}

function frameOf(view: Window | null): Element | null {
  try {
    return view?.frameElement ?? null;
  } catch {
    return null;
  }
}
