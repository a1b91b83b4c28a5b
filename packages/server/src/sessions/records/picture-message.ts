import type { AppMessage } from "@debug-bridge/protocol";

/** What a page shows: kept beside the timeline, and not in it. */
export type PictureMessage = Extract<AppMessage, { type: "page_picture" | "page_replay" }>;

export const isPicture = (message: AppMessage): message is PictureMessage =>
  message.type === "page_picture" || message.type === "page_replay";
