import type { CommandOf, HubResult } from "@debug-bridge/protocol";
import type { CommandAudit } from "../dispatch/command-dispatcher.js";
import type { Policy } from "../dispatch/policy.js";
import type { EditPictures } from "../pictures/edit-pictures.js";
import type { Entry } from "../timeline/timeline.js";
import type { AppPeer } from "./peers/app-peer.js";
import type { Hold } from "./records/held-records.js";
import type { PictureMessage } from "./records/picture-message.js";
import type { Session } from "./session.js";

/** What a session reports to the hub that it belongs to. */
export interface SessionHost {
  readonly policy: Policy;
  readonly version: string;
  /** Whether no more records can be stored: they are dropped and counted. */
  isFull?(session: Session): boolean;
  /**
   * Stores a record for the hub that continues the session when this one is lost. Returns who waits until `session.held.release` is
   * called for it.
   */
  store?(session: Session, entry: Entry): Hold;
  /** Receives every record that readers may see, for recordings and for readers of all sessions. */
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
  /** Somebody waits for an edit, and wants to see the page before and after it. */
  pictureEdit?(session: Session): EditPictures;
  /** Somebody wants a picture; `undefined` when the page takes it. */
  pictureApp?(session: Session, command: CommandOf<"screenshot">): Promise<HubResult> | undefined;
  /** Resolves when these pages report what is done in them, as far as that is wanted; `undefined` when they do, or it is not. */
  observed?(session: Session, apps: readonly AppPeer[]): Promise<void> | undefined;
  /** The session left the list. */
  onForgotten?(session: Session): void;
}
