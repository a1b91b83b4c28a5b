import { BridgeError, type CommandOf, errorFromBody, type HubResult } from "@debug-bridge/protocol";
import { HUB } from "../dispatch/command-dispatcher.js";
import { success } from "../dispatch/hub-results.js";
import type { Session } from "../sessions/session.js";
import { showing } from "./showing.js";

/** A page as an app sent it. All of it was written by the page. */
export interface PageSnapshot {
  /** Events of a replay, as JSON: the whole page. */
  readonly events: string;
  readonly isDark: boolean;
  readonly isQuirky: boolean;
  /** The id of the element that is wanted. */
  readonly of?: number;
  readonly labels?: readonly (readonly [ref: string, id: number])[];
}

export interface RenderOptions {
  readonly fullPage: boolean;
  readonly quality: number | undefined;
}

/** A picture that a Chrome of this machine drew of a page that it does not show. */
export interface RenderedPicture {
  readonly mimeType: "image/jpeg";
  /** Base64. */
  readonly data: string;
  readonly width: number;
  readonly height: number;
}

export type RenderPage = (snapshot: PageSnapshot, options: RenderOptions) => Promise<RenderedPicture>;

/** Whether others take the screenshots of an app. One with another SDK, which sends no replay, may take its own. */
export const isPicturedByOthers = (session: Session): boolean =>
  session.kind === "app" && session.canBeWatched;

/**
 * The picture of an app, which cannot picture itself: from a tab or a launched browser that shows the same address, else
 * drawn from its DOM. Both are marked in `value`; `pictureNote` says it in words.
 */
export async function pictureApp(
  session: Session,
  command: CommandOf<"screenshot">,
  all: readonly Session[],
  render: RenderPage | undefined,
): Promise<HubResult> {
  const { target, labels, fullPage, quality, timeoutMs, instanceId } = command;
  // Refs of the app mean nothing in the other session.
  const other = target || labels ? undefined : showing(session, all);
  if (other) {
    const taken = await other.command(given({ type: "screenshot", fullPage, quality, timeoutMs }), HUB);
    if (taken.success) return success(command, { ...Object(taken.value), session: other.id });
  }
  if (!render) throw new BridgeError("not_supported", `this hub renders no pages. ${INSTEAD}`);
  const wanted = given({ type: "page_snapshot", target, labels, fullPage, timeoutMs, instanceId });
  const answer = await session.command(wanted, HUB);
  if (!answer.success)
    throw errorFromBody({
      code: answer.error ?? "internal",
      message: answer.message ?? "the app gave no reason",
    });
  const { snapshot, leftOut } = readSnapshot(answer.value);
  const picture = await render(snapshot, { fullPage: fullPage === true, quality }).catch(
    (thrown: unknown) => {
      const { code, message } = BridgeError.from(thrown);
      throw new BridgeError(code, `the app's page could not be rendered: ${message}\n${INSTEAD}`);
    },
  );
  return success(command, { ...picture, rendering: "dom", leftOut });
}

const INSTEAD =
  "Use observe, share the tab with the extension, or open the address with browser_action: then it has a picture";

function given(fields: { type: string; [key: string]: unknown }): { type: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    type: string;
  };
}

function readSnapshot(value: unknown): { snapshot: PageSnapshot; leftOut: number } {
  const { events, isDark, isQuirky, of, labels, leftOut } = Object(value) as Record<string, unknown>;
  if (typeof events !== "string")
    throw new BridgeError("not_supported", "the app sent no page; update the SDK in it");
  const isLabel = (each: unknown): each is [string, number] =>
    Array.isArray(each) && /^\w{1,20}$/.test(String(each[0])) && typeof each[1] === "number";
  return {
    leftOut: typeof leftOut === "number" && leftOut > 0 ? Math.round(leftOut) : 0,
    snapshot: {
      events,
      isDark: isDark === true,
      isQuirky: isQuirky === true,
      ...(typeof of === "number" ? { of } : {}),
      ...(Array.isArray(labels) ? { labels: labels.filter(isLabel) } : {}),
    },
  };
}
