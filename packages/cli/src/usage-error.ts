import { BridgeError } from "@debug-bridge/protocol";

/** The command line was used incorrectly: exit code 2. */
export class UsageError extends BridgeError {
  constructor(message: string) {
    super("invalid_message", message);
  }
}
