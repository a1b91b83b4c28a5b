import { setTimeout as sleep } from "node:timers/promises";
import { HUB } from "../dispatch/command-dispatcher.js";
import type { AppPeer } from "../sessions/peers/app-peer.js";
import type { Session } from "../sessions/session.js";

/** A page that has not answered after this time is not waited for any longer. */
const ANSWER_TIMEOUT_MS = 5_000;

/** Has the pages of recorded sessions report what is done in them, and knows which of them do. */
export class RecordedPages {
  /** The pages that were asked; `undefined` for those that have answered. */
  private readonly started = new WeakMap<AppPeer, Promise<void> | undefined>();

  /** Asks pages that were not asked yet. Resolves when all of them have answered; `undefined` when they had. */
  record(
    session: Session,
    apps: Iterable<AppPeer> = session.pages.apps,
    fromStart = false,
  ): Promise<void> | undefined {
    const answers = [...apps].flatMap((app) => this.startRecording(session, app, fromStart) ?? []);
    if (answers.length === 0) return undefined;
    const late = sleep(ANSWER_TIMEOUT_MS, undefined, { ref: false });
    return Promise.race([Promise.all(answers), late]).then(() => {});
  }

  /** A page said hello. It may be another document over the same connection, which was not asked. */
  onHello(session: Session): void {
    for (const app of session.pages.apps) if (app.state === session.pages.newest) this.started.delete(app);
    void this.record(session, session.pages.apps, true);
  }

  stop(session: Session): void {
    for (const app of session.pages.apps) this.started.delete(app);
    void send(session, { on: false, instanceId: "all" });
  }

  private startRecording(session: Session, app: AppPeer, fromStart: boolean): Promise<void> | undefined {
    // It is asked when it has said hello.
    if (app.helloDueMs > 0) return undefined;
    if (this.started.has(app)) return this.started.get(app);
    const command = { on: true, instanceId: app.instanceId ?? "newest", ...(fromStart ? { fromStart } : {}) };
    const answer = send(session, command).then((isFinal) => {
      if (this.started.get(app) !== answer) return;
      // It could not now, as with a dialog that is open: it is asked again before the next action.
      if (isFinal) this.started.set(app, undefined);
      else this.started.delete(app);
    });
    this.started.set(app, answer);
    return answer;
  }
}

/** Whether asking again would change nothing. Pages of older SDKs cannot report, and are recorded without. */
async function send(session: Session, command: object): Promise<boolean> {
  // After the record that led here is in the timeline.
  await Promise.resolve();
  try {
    const { success, error } = await session.command({ type: "record_actions", ...command }, HUB);
    return success || error === "not_supported";
  } catch {
    return false;
  }
}
