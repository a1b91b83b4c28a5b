import type { CommandAudit } from "../dispatch/command-dispatcher.js";
import type { Policy } from "../dispatch/policy.js";
import type { Entry } from "../timeline/timeline.js";
import type { PictureMessage } from "./picture-message.js";
import type { Session } from "./session.js";

/** What a session tells the hub that it belongs to. */
export interface SessionHost {
  readonly policy: Policy;
  readonly version: string;
  /** Receives every record, for recordings and for readers of all sessions. */
  onEntry(session: Session, entry: Entry): void;
  onAudit(session: Session, entry: CommandAudit): void;
  onPeersChanged(session: Session): void;
  /** An app is connected, whose `hello` is still to come. */
  onAppJoined?(session: Session): void;
  /** A client sent it a command. */
  onUsed?(session: Session): void;
  /** A page said what it can do. */
  onPage?(session: Session): void;
  /** A page sent what it shows. */
  onPicture?(session: Session, message: PictureMessage): void;
  /** The session left the list. */
  onForgotten?(session: Session): void;
}
