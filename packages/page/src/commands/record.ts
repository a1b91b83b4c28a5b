import type { CommandOf, CommandOutcome } from "@debug-bridge/protocol";
import { recordActions } from "../record/record-actions.js";
import type { CommandContext } from "./run-command.js";

/** Answers `record_actions`. Bodies of requests are part of a recording, whether or not they are reported otherwise. */
export function record(
  { on, fromStart }: CommandOf<"record_actions">,
  { view, emit, capture }: CommandContext,
): CommandOutcome {
  const { guard, options } = capture;
  const { masker, page } = view;
  const window = page.defaultView;
  if (!window) return {};
  const early = fromStart ? capture.earlyEvents : undefined;
  capture.earlyEvents = undefined;
  recordActions(on, { window, guard, masker, emit, early, isOurs: (node) => view.isOurs(node) });
  const switches = options as { captureBodies?: boolean | "recording" };
  if (on) switches.captureBodies ||= "recording";
  else if (switches.captureBodies === "recording") switches.captureBodies = false;
  return {};
}
