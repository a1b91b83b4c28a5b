import type { Chord } from "./act/input/keys.js";
import type { Point } from "./view/elements/visibility.js";

export type Modifier = "Alt" | "Control" | "Meta" | "Shift";

export interface ClickOptions {
  readonly button: "left" | "right" | "middle";
  readonly count: number;
  readonly modifiers: readonly Modifier[];
}

/**
 * How the engine performs input. The SDK dispatches events itself (`syntheticInput`); with CDP, the same actions
 * become trusted input. Points are in the viewport of the element's own document. The engine has made sure before
 * that the element can be used.
 */
export interface PageInput {
  /** False when it is for the browser to open a tab, which it does only for a person. */
  click(element: Element, point: Point, options: ClickOptions): Promise<boolean>;
  /** False when the app gets the events, but the browser itself does not notice: `:hover` does not apply. */
  hover(element: Element, point: Point): boolean | Promise<boolean>;
  /** Types text at the caret of the focused element, key by key. */
  typeText(element: Element, text: string): void | Promise<void>;
  /** False when the key was sent, but the browser's own action for it cannot be triggered. */
  press(element: Element, chord: Chord): boolean | Promise<boolean>;
  /**
   * `reach` brings the target into view and returns the way there, in the viewport of the target's document; call it
   * once the source is held. The last point is where it is released.
   */
  drag(source: Element, from: Point, target: Element, reach: () => readonly Point[]): void | Promise<void>;
}
