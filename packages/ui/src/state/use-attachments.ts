import type { SessionSummary } from "@debug-bridge/protocol";
import { useCallback, useEffect, useRef, useState } from "react";
import type { PageTools, PickKeys } from "../hub/page-tools.js";
import { readPicture } from "../pictures/read-picture.js";
import { visibleText } from "../text/visible-text.js";
import { type ChangeDraft, withElement, withPicture } from "./use-drafts.js";

export interface Attachments {
  readonly canCapture: boolean;
  readonly canPick: boolean;
  /** The page in which the person picks an element now; with keys once it is prepared, and what they have marked. */
  readonly pickingIn: (SessionSummary & { readonly keys?: PickKeys; readonly pointed?: string }) | undefined;
  addFiles(files: Iterable<File>): Promise<void>;
  capture(): Promise<void>;
  pick(): Promise<void>;
  cancelPick(): void;
}

/** What the person can add to a message: pictures, and an element of the page that the agent works in. */
export function useAttachments(
  tools: PageTools,
  place: SessionSummary | undefined,
  change: ChangeDraft,
  onProblem: (problem: string) => void,
): Attachments {
  const [pickingIn, setPickingIn] = useState<Attachments["pickingIn"]>();
  const controller = useRef<AbortController>(undefined);
  const attempt = useCallback(
    async (action: () => Promise<unknown>): Promise<void> => {
      await action().catch((thrown: Error) => onProblem(thrown.message));
    },
    [onProblem],
  );
  /** A change that may be refused, which an updater of React's state cannot report. */
  const tryChange = useCallback<ChangeDraft>(
    (next) =>
      change((draft) => {
        try {
          return next(draft);
        } catch (thrown) {
          queueMicrotask(() => onProblem((thrown as Error).message));
          return draft;
        }
      }),
    [change, onProblem],
  );
  const cancelPick = useCallback(() => controller.current?.abort(), []);
  // An element belongs to the chat and the page for which it was picked.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever one of them is another.
  useEffect(() => cancelPick, [place?.id, change]);

  return {
    canCapture: place !== undefined && tools.canCapture(place),
    canPick: place !== undefined && tools.canPick(place),
    pickingIn,
    cancelPick,
    addFiles: (files) =>
      attempt(async () => {
        for (const file of files) {
          const picture = await readPicture(file);
          tryChange((draft) => withPicture(draft, picture));
        }
      }),
    capture: () =>
      attempt(async () => {
        if (!place) return;
        const picture = await tools.capture(place);
        tryChange((draft) => withPicture(draft, picture));
      }),
    pick: () =>
      attempt(async () => {
        if (!place) return;
        cancelPick();
        const own = new AbortController();
        controller.current = own;
        setPickingIn(place);
        const set = (more: { keys?: PickKeys; pointed?: string }): void =>
          setPickingIn((before) => (controller.current === own && before ? { ...before, ...more } : before));
        try {
          const picked = await tools.pick(place, own.signal, {
            onReady: (keys) => set({ keys }),
            onPointed: (role, name) => set({ pointed: visibleText(`${name || "unnamed"}, ${role}`) }),
          });
          if (picked && !own.signal.aborted) tryChange((draft) => withElement(draft, picked));
        } finally {
          if (controller.current === own) setPickingIn(undefined);
        }
      }),
  };
}
