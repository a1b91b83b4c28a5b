import { CHAT_LIMITS, type SentImage, type StartRun } from "@debug-bridge/protocol";
import { useCallback, useState } from "react";
import type { Picked } from "../hub/page-tools.js";
import { whyNot } from "../pictures/read-picture.js";

interface DraftPicture extends SentImage {
  readonly key: string;
}

/** A message that is not sent yet. */
export interface Draft {
  readonly text: string;
  readonly pictures: readonly DraftPicture[];
  /** The element that the person picked, and which picture shows it. */
  readonly element?: Picked["element"] & { readonly picture?: string };
}

const EMPTY: Draft = { text: "", pictures: [] };

export type ChangeDraft = (change: (draft: Draft) => Draft) => void;

/** The drafts of this window, one for each chat and one for a new one. */
export function useDrafts(chatId: string | undefined): {
  readonly draft: Draft;
  readonly change: ChangeDraft;
  /** The draft of a new chat goes on as that of the chat that was made. */
  move(to: string): void;
  /** Removes what was sent. What the person wrote or added meanwhile stays. */
  remove(chatId: string, sent: Draft): void;
} {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const key = chatId ?? "";
  return {
    draft: drafts[key] ?? EMPTY,
    change: useCallback(
      (change) => setDrafts((before) => ({ ...before, [key]: change(before[key] ?? EMPTY) })),
      [key],
    ),
    move: useCallback(
      (to) => setDrafts((before) => ({ ...before, [key]: EMPTY, [to]: before[key] ?? EMPTY })),
      [key],
    ),
    remove: useCallback(
      (id, sent) => setDrafts((before) => ({ ...before, [id]: without(before[id] ?? EMPTY, sent) })),
      [],
    ),
  };
}

function without({ element, ...draft }: Draft, sent: Draft): Draft {
  const sentPictures = new Set(sent.pictures.map(({ key }) => key));
  return {
    text: draft.text === sent.text ? "" : draft.text,
    pictures: draft.pictures.filter(({ key }) => !sentPictures.has(key)),
    ...(element === undefined || element === sent.element ? {} : { element }),
  };
}

/** Adds a picture. Throws when there are too many. */
export function withPicture(draft: Draft, { mimeType, data }: SentImage): Draft {
  const problem = whyNot(draft.pictures, { mimeType, data });
  if (problem !== undefined) throw new Error(problem);
  return { ...draft, pictures: [...draft.pictures, { mimeType, data, key: crypto.randomUUID() }] };
}

/** Takes the place of an element that was picked before. */
export function withElement(draft: Draft, { element, picture }: Picked): Draft {
  const base = withoutElement(draft);
  if (!picture || base.pictures.length >= CHAT_LIMITS.imagesOfMessage) return { ...base, element };
  const added = withPicture(base, picture);
  const shown = added.pictures.at(-1)?.key;
  return { ...added, element: { ...element, ...(shown === undefined ? {} : { picture: shown }) } };
}

export function withoutElement({ element, ...draft }: Draft): Draft {
  return { ...draft, pictures: draft.pictures.filter(({ key }) => key !== element?.picture) };
}

/** What the hub gets. */
export function runOf({ text, pictures, element }: Draft, session: string | undefined): StartRun {
  const { picture, ...picked } = element ?? {};
  const imageIndex = pictures.findIndex(({ key }) => key === picture);
  return {
    message: text.trim() === "" ? "" : text,
    context: {
      ...(session === undefined ? {} : { session }),
      ...(pictures.length === 0
        ? {}
        : { images: pictures.map(({ mimeType, data }) => ({ mimeType, data })) }),
      ...(element === undefined
        ? {}
        : { element: { ...(picked as Picked["element"]), ...(imageIndex < 0 ? {} : { imageIndex }) } }),
    },
  };
}
