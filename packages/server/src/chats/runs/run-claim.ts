import { existsSync, rmSync } from "node:fs";
import { isAlive, processStart, readRegular, replaceFile } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";
import type { ChatFolder } from "../store/chat-folder.js";

interface ProcessMark {
  readonly pid: number;
  /** Process ids are reused; with its start time a process is unique. */
  readonly processStart?: string | undefined;
}

/** `run.json`: which hub runs a chat, and with which process. It exists from before the first event of a run until after its last one. */
export interface RunClaim {
  readonly runId: string;
  readonly hub: ProcessMark;
  readonly provider?: ProcessMark | undefined;
}

export const markOf = (pid: number): ProcessMark => ({ pid, processStart: processStart(pid) });

/** Claims a chat for a run. Throws while another run goes on. Returns a claim that a hub left when it ended early. */
export function claimRun(folder: ChatFolder, runId: string): RunClaim | undefined {
  return folder.exclusively(() => {
    const earlier = readClaim(folder);
    if (earlier && isAlive(earlier.hub))
      throw new BridgeError(
        "conflict",
        `an agent is running in this chat (${earlier.runId}); wait for it, or stop it with POST /v1/runs/${earlier.runId}/stop`,
      );
    writeClaim(folder, { runId, hub: markOf(process.pid) });
    return earlier;
  });
}

/** The claim of a chat, of any hub. */
export function readClaim(folder: ChatFolder): RunClaim | undefined {
  if (!existsSync(folder.claim)) return undefined;
  try {
    const claim = JSON.parse(readRegular(folder.claim)) as RunClaim;
    if (typeof claim?.runId === "string" && Number.isInteger(claim.hub?.pid) && claim.hub.pid > 0)
      return claim;
  } catch {
    // Not a claim: whoever wrote it is not known, so the run counts as left behind.
  }
  return { runId: "", hub: { pid: 2 ** 30 } };
}

export function writeClaim(folder: ChatFolder, claim: RunClaim): void {
  replaceFile(folder.claim, JSON.stringify(claim));
}

export function releaseClaim(folder: ChatFolder): void {
  rmSync(folder.claim, { force: true });
}

/** Whether a run was left behind by a hub that no longer runs. */
export function isLeftBehind(folder: ChatFolder): boolean {
  const claim = readClaim(folder);
  return claim !== undefined && !isAlive(claim.hub);
}
