import type { CommandOf } from "@debug-bridge/protocol";
import type { AuditLog } from "../audit.js";
import type { Cluster } from "../bus/cluster.js";
import type { CommandAudit } from "../dispatch/command-dispatcher.js";
import type { Policy } from "../dispatch/policy.js";
import type { Feed } from "../http/feed.js";
import { isPicturedByOthers, pictureApp, type RenderPage } from "../pictures/app-picture.js";
import { EditPictures } from "../pictures/edit-pictures.js";
import type { PictureStore } from "../pictures/picture-store.js";
import type { Owner } from "../sessions/owner.js";
import type { AppPeer } from "../sessions/peers/app-peer.js";
import type { PictureMessage } from "../sessions/records/picture-message.js";
import type { SessionsHost } from "../sessions/registry.js";
import type { Session } from "../sessions/session.js";
import type { Recorder } from "../timeline/recorder.js";
import type { Entry } from "../timeline/timeline.js";
import { VERSION } from "../version.js";
import type { KeptChains } from "../why/kept-chains.js";

interface HostParts {
  readonly policy: Policy;
  readonly audit: AuditLog;
  readonly feed: Feed;
  readonly recorder: Recorder;
  readonly pictures: PictureStore;
  readonly chains: KeptChains;
  readonly cluster: Cluster | undefined;
  all(): readonly Session[];
  readonly render: RenderPage | undefined;
}

/** What sessions report, for all that the hub does with it. */
export function sessionHost(parts: HostParts): SessionsHost {
  const { policy, audit, feed, recorder, pictures, chains, cluster, all, render } = parts;
  return {
    policy,
    version: VERSION,
    onEntry(session: Session, entry: Entry) {
      recorder.append(session, entry);
      feed.entry(session, entry);
      if (entry.type === "hello") chains.onHello(session, recorder.isRecording(session));
    },
    onAudit: (session: Session, entry: CommandAudit) => audit.write({ ...entry, session: session.id }),
    onPeersChanged(session: Session) {
      feed.peersChanged(session);
      pictures.onPeersChanged(session);
      cluster?.onPeersChanged();
    },
    onPage: (session: Session) => pictures.onPage(session),
    onPicture: (session: Session, message: PictureMessage) => pictures.onPicture(session, message),
    pictureEdit: (session: Session) => new EditPictures(session, pictures, all()),
    pictureApp: (session: Session, command: CommandOf<"screenshot">) =>
      isPicturedByOthers(session) ? pictureApp(session, command, all(), render) : undefined,
    observed(session: Session, apps: readonly AppPeer[]) {
      const pending = [recorder.ready(session, apps), chains.ready(session)].filter(
        (each) => each !== undefined,
      );
      return pending.length === 0 ? undefined : Promise.all(pending).then(() => {});
    },
    onForgotten(session: Session) {
      recorder.end(session);
      pictures.forget(session);
      cluster?.onForgotten(session);
    },
    ...(cluster && {
      isFull: (session: Session) => cluster.isFull(session),
      store: (session: Session, entry: Entry) => cluster.store(session, entry),
      onOpened: (session: Session) => cluster.onOpened(session),
      onClaimed: (session: Session, owner: Owner) => cluster.onClaimed(session, owner),
    }),
  };
}
