import { imageInfo } from "@debug-bridge/journal";
import { BridgeError, type HubResult, pictureNote } from "@debug-bridge/protocol";
import { HUB } from "../dispatch/command-dispatcher.js";
import type { Session } from "../sessions/session.js";
import type { KeptPicture } from "./picture-ring.js";
import type { PictureStore } from "./picture-store.js";
import { showing } from "./showing.js";

const QUALITY = 60;
/** Clocks of pictures and of development servers, and the way of a report, differ by less. */
const MARGIN_MS = 100;

interface Before {
  readonly at: number;
  readonly bytes: Buffer;
  /** It was taken because somebody began to wait, and not because the page looked different. */
  readonly isOfWait?: boolean;
}

/**
 * Pictures of a page before and after an edit. From the first call, the page is watched for some minutes, so that the picture before
 * an edit exists even if the edit is saved before the next call.
 */
export class EditPictures {
  /** An app cannot take a screenshot of itself; a session of its browser can. Without one the app is rendered. */
  private readonly shown: Session;
  private first: Before | undefined;
  /** What the newest picture is, when it is not of the screen. */
  private note: string | undefined;

  constructor(
    private readonly session: Session,
    private readonly store: PictureStore,
    all: readonly Session[],
  ) {
    this.shown = session.kind === "app" ? (showing(session, all) ?? session) : session;
    // An app sends changes of its DOM, which are no pictures.
    if (this.shown.kind !== "app") store.editWatch(this.shown);
    this.takePicture().then(
      (bytes) => {
        this.first = { at: Date.now(), bytes, isOfWait: true };
      },
      () => {},
    );
  }

  /** Adds pictures to the answer; `startedAt`: the page certainly showed the old code until then. */
  async addTo(result: HubResult, startedAt: number, withBefore: boolean): Promise<HubResult> {
    const lines = result.message === undefined ? [] : [result.message];
    const pictures: Record<string, { mimeType: string; data: string; at: number }> = {};
    const add = (name: string, { at, bytes }: KeptPicture): void => {
      const { mimeType = "image/jpeg" } = imageInfo(bytes) ?? {};
      pictures[name] = { mimeType, data: bytes.toString("base64"), at };
    };
    if (this.shown !== this.session)
      lines.push(`pictures: of session "${this.shown.id}", which shows the same address`);
    const before = withBefore ? this.before(startedAt) : undefined;
    if (before) {
      add("before", before);
      const why = before.isOfWait ? "when the wait began, " : "";
      lines.push(
        `picture before: taken ${why}${((startedAt - before.at) / 1_000).toFixed(1)} s before the edit took effect`,
      );
    }
    try {
      add("after", { bytes: await this.takePicture(), at: Date.now() });
      if (this.note !== undefined) lines.push(`pictures: ${this.note}`);
      if (withBefore && !before)
        lines.push(
          this.shown.kind === "app"
            ? "no picture before: an app is rendered when the call begins to wait, and the edit was earlier"
            : "no picture before: the page was not watched then; it is now, for 5 minutes",
        );
    } catch (thrown) {
      lines.push(`no picture${withBefore && !before ? "s" : " after"}: ${BridgeError.from(thrown).message}`);
    }
    return {
      ...result,
      ...(lines.length > 0 ? { message: lines.join("\n") } : {}),
      ...(Object.keys(pictures).length > 0 ? { value: { pictures } } : {}),
    };
  }

  /** The newest picture from before an edit, unless the page was no longer watched then. */
  private before(startedAt: number): Before | undefined {
    const isBefore = ({ at }: Before): boolean => at <= startedAt - MARGIN_MS;
    const kept = this.store.pictures(this.shown).filter(isBefore).at(-1);
    const first = this.first && isBefore(this.first) ? this.first : undefined;
    if (kept && kept.bytes.length > 0) return kept;
    return first && first.at > (kept?.at ?? 0) ? first : undefined;
  }

  private async takePicture(): Promise<Buffer> {
    const result = await this.shown.command({ type: "screenshot", quality: QUALITY }, HUB);
    if (!result.success) throw new BridgeError("internal", result.message ?? "the page sent no picture");
    this.note = pictureNote(result.value);
    const { data } = (result.value ?? {}) as { data?: unknown };
    const bytes = Buffer.from(typeof data === "string" ? data : "", "base64");
    if (!imageInfo(bytes)) throw new BridgeError("internal", "the page did not return an image");
    return bytes;
  }
}
