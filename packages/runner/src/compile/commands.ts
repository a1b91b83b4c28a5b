import type { CommandInput, Range, Target } from "@debug-bridge/protocol";
import type { InstructionOf } from "./context.js";

const SCROLL_PIXELS = 600;

/** The `type` commands of an instruction: one, or one per character when there is a delay between them. */
export function typeCommands(
  { text, clear, delay }: Pick<InstructionOf<"type">, "text" | "clear" | "delay">,
  target: Target,
): CommandInput[] {
  if (delay === 0) return [{ type: "type", target, text, clear }];
  const characters = [...text];
  if (characters.length === 0) return [{ type: "type", target, text, clear }];
  // Only the last one waits until the page is quiet. Its receipt covers the value that all of them typed.
  return characters.map((character, index) => ({
    type: "type",
    target,
    text: character,
    clear: clear && index === 0,
    ...(index < characters.length - 1 ? { settle: false as const } : {}),
  }));
}

/** Scrolls by a distance. An element without a distance is scrolled into view. */
export function scrollCommand(
  { direction, amount }: Pick<InstructionOf<"scroll">, "direction" | "amount">,
  target?: Target,
): CommandInput {
  if (target && amount === undefined) return { type: "scroll", target };
  const pixels = amount ?? SCROLL_PIXELS;
  const by = { up: { y: -pixels }, down: { y: pixels }, left: { x: -pixels }, right: { x: pixels } }[
    direction
  ];
  return { type: "scroll", ...(target ? { target } : {}), ...by };
}

/** A point inside both ranges: their midpoint first, then any point. */
export function pointIn(
  xRange: Range,
  yRange: Range,
  attempt: number,
  random: () => number = Math.random,
): { x: number; y: number } {
  const within = ({ min, max }: Range): number =>
    attempt === 0 ? (min + max) / 2 : min + random() * (max - min);
  return { x: within(xRange), y: within(yRange) };
}
