import type { ChatClient } from "../hub/chat-client.js";

const TYPES = /^image\/(?:png|jpeg|webp)$/;
/** Beyond it, those that were used longest ago are forgotten. */
const MAX_CHARACTERS = 48_000_000;

const known = new Map<string, Promise<string>>();
const sizes = new Map<string, number>();

/** A picture of a chat as a `data:` address: the only kind of picture that the page may show. */
export function pictureUrl(client: ChatClient, chatId: string, id: string): Promise<string> {
  const key = `${chatId} ${id}`;
  const url = known.get(key) ?? client.image(chatId, id).then(dataUrl);
  known.delete(key);
  known.set(key, url);
  url.then(
    ({ length }) => {
      sizes.set(key, length);
      forgetOld();
    },
    () => known.delete(key),
  );
  return url;
}

export function dataUrl(blob: Blob): Promise<string> {
  if (!TYPES.test(blob.type)) return Promise.reject(new Error("this is no picture that can be shown"));
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

function forgetOld(): void {
  let total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  for (const key of known.keys()) {
    if (total <= MAX_CHARACTERS) return;
    total -= sizes.get(key) ?? 0;
    sizes.delete(key);
    known.delete(key);
  }
}
