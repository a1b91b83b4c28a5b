import { BridgeError } from "@debug-bridge/protocol";
import { HUB_LIMITS } from "./limits.js";
import { reclaimAfterCommand } from "./reclaim.js";

/** What the hub holds for a command that runs, besides its text: its record, its timer, who waits for it. */
const COMMAND_OVERHEAD = 2_048;

/** Bytes of all commands that run in this hub. */
let inAll = 0;

/**
 * Bounds what the commands of one session hold while they run, and what those of all sessions do. The commands of a client
 * that disconnects still run, so they are counted here and not for each connection.
 */
export class RunningLoad {
  private bytes = 0;

  /** Runs a command that came as so many characters. Throws when too much runs already. */
  async during<Value>(characters: number, run: () => Promise<Value>): Promise<Value> {
    reclaimAfterCommand();
    const cost = COMMAND_OVERHEAD + characters;
    if (this.bytes + cost > HUB_LIMITS.runningInSession || inAll + cost > HUB_LIMITS.runningInAll)
      throw new BridgeError(
        "rate_limit",
        "too many commands are running that were not answered yet; wait for results before you send more",
      );
    this.bytes += cost;
    inAll += cost;
    try {
      return await run();
    } finally {
      this.bytes -= cost;
      inAll -= cost;
    }
  }
}
