import { BridgeError } from "@debug-bridge/protocol";
import type { CommandContext } from "./run-command.js";

/** What is done in a page that is being left is lost, and may be done to the wrong one. */
export function refuseWhenLeaving({ activity, view }: Pick<CommandContext, "activity" | "view">): void {
  const to = activity.goingTo;
  if (to === undefined) return;
  throw new BridgeError(
    "not_actionable",
    `the page is being left for ${view.masker.url(to)}. Nothing was done; wait for the next page's hello and send this again`,
    { retry: true },
  );
}
