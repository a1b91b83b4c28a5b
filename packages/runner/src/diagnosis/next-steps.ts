import type { BrowserInstruction, BrowserResponse } from "@debug-bridge/protocol";
import { printInstruction } from "../instruction/print.js";

/**
 * What to try next, most promising first, based on how the action ended and how many errors the page had. Instructions
 * are complete, so they can be sent unchanged.
 */
export function nextSteps(
  instruction: BrowserInstruction,
  { success, error, shutdown }: Pick<BrowserResponse, "success" | "error" | "shutdown">,
  pageErrors: number,
  url: string | undefined,
): string[] {
  const start = printInstruction({ type: "start", url: url ?? "http://localhost:3000/" });
  if (shutdown !== undefined) return [`Read the errors before you continue; then ${start}`];
  if (success) {
    const isOver = instruction.type === "stop" || instruction.type === "diagnose";
    return pageErrors === 0 || isOver ? [] : [printInstruction({ type: "diagnose" })];
  }
  switch (error?.code) {
    case "session_not_found":
      return [start];
    case "target_not_found":
    case "stale_ref":
    case "ambiguous_target":
      return [
        ...(hasSome(error.details?.candidates)
          ? ["Choose a ref from error.details.candidates and send the action again with it"]
          : []),
        printInstruction({ type: "observe" }),
        printInstruction({ type: "screenshot" }),
      ];
    case "not_actionable":
      return [printInstruction({ type: "screenshot" }), printInstruction({ type: "wait", ms: 500 })];
    case "navigation_failed":
    case "timeout":
      return [
        ...(error.hint ? ["Follow error.hint, then send the same instruction again"] : []),
        printInstruction({ type: "diagnose" }),
      ];
    case "not_supported":
      return ["Follow error.message, then send the same instruction again"];
    case "invalid_message":
    case "unknown_type":
      return [
        error.details?.corrected === undefined
          ? `Correct ${error.details?.field ?? "the instruction"} as error.message explains, and send it again`
          : "Send the corrected form in error.message",
      ];
    default:
      return instruction.type === "diagnose" ? [start] : [printInstruction({ type: "diagnose" }), start];
  }
}

const hasSome = (list: unknown): boolean => Array.isArray(list) && list.length > 0;
