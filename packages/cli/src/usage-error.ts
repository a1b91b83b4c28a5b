import { BridgeError } from "@debug-bridge/protocol";

/** The command line was used in a wrong way: exit code 2. */
export class UsageError extends BridgeError {
  constructor(message: string) {
    super("invalid_message", message);
  }
}
