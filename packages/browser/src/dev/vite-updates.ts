import { EDIT } from "../plugin/channel.js";
import { codeUpdates } from "./code-updates.js";

/** The part of `import.meta.hot` that is used here. */
export interface ViteHot {
  on(event: string, listener: (data: unknown) => void): void;
  send(event: string, data: unknown): void;
}

/** Reports the hot updates of Vite. The server sends the id of an edit right before the update that it leads to. */
export function followVite(hot: ViteHot): void {
  const updates = codeUpdates();
  let edits: string[] = [];
  hot.on(EDIT, (data) => {
    edits.push((data as { id: string }).id);
  });
  let isFirst = true;
  hot.on("vite:beforeUpdate", () => {
    // Vite removes its error overlay right after this. Once removed here, it is no change of the page; but with the first update
    // Vite looks for it, to load the page again.
    if (!isFirst) for (const overlay of document.querySelectorAll("vite-error-overlay")) overlay.remove();
    isFirst = false;
    updates.before();
  });
  hot.on("vite:afterUpdate", () => {
    updates.after(edits);
    edits = [];
  });
}
