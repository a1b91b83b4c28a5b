import { existsSync } from "node:fs";
import { join } from "node:path";
import { readRegular, replaceFile, withLock } from "@debug-bridge/journal";
import { BridgeError, CHAT_LIMITS, CHAT_MESSAGE_LIMITS, type ChatApprovals } from "@debug-bridge/protocol";
import { chatApprovalsSchema, decode } from "@debug-bridge/protocol/schemas";

const FILE = "chat-approvals.json";

/** The sites on which agents of chats may always act: `chat-approvals.json` in the home. */
export class SavedApprovals {
  private readonly file: string;

  constructor(private readonly home: string) {
    this.file = join(home, FILE);
  }

  /** Read each time: another hub of the home, or the person, may have changed it. */
  list(): ChatApprovals["approvals"] {
    if (!existsSync(this.file)) return [];
    try {
      const decoded = decode(chatApprovalsSchema, readRegular(this.file), CHAT_MESSAGE_LIMITS);
      return decoded.ok ? decoded.value.approvals : [];
    } catch {
      // What cannot be read allows nothing.
      return [];
    }
  }

  has(origin: string): boolean {
    return this.list().some((each) => each.origin === origin);
  }

  add(origin: string): void {
    this.change((approvals) => {
      if (approvals.length >= CHAT_LIMITS.approvals)
        throw new BridgeError(
          "too_large",
          `${approvals.length} sites are always allowed, which is the limit; remove some with: debug-bridge chat approvals --forget ORIGIN`,
        );
      const others = approvals.filter((each) => each.origin !== origin);
      return [...others, { origin, at: new Date().toISOString() }];
    });
  }

  /** Throws when the site is not among them. */
  remove(origin: string): void {
    this.change((approvals) => {
      const others = approvals.filter((each) => each.origin !== origin);
      if (others.length < approvals.length) return others;
      throw new BridgeError(
        "target_not_found",
        `agents are not always allowed to act on ${JSON.stringify(origin.slice(0, 200))}; list the sites with: debug-bridge chat approvals`,
      );
    });
  }

  private change(change: (approvals: ChatApprovals["approvals"]) => ChatApprovals["approvals"]): void {
    withLock(join(this.home, `${FILE}.lock`), () =>
      replaceFile(this.file, `${JSON.stringify({ approvals: change(this.list()) }, null, 2)}\n`),
    );
  }
}
