import { EDIT, type EditNotice } from "../plugin/channel.js";
import { codeUpdates } from "./code-updates.js";
import { UnchangedPage } from "./unchanged-page.js";

/** The part of `import.meta.hot` that is used here. */
export interface ViteHot {
  on(event: string, listener: (data: unknown) => void): void;
  send(event: string, data: unknown): void;
}

/** Reports the hot updates of Vite. The server sends the id of an edit right before the update that it leads to. */
export function followVite(hot: ViteHot): void {
  const updates = codeUpdates();
  const page = new UnchangedPage();
  let edits: string[] = [];
  let readsAtOnce = false;
  let isWaiting = false;
  const later = new MessageChannel();
  // Vite asks for the new code as soon as the listeners of an update return. The page is read while that is on its way.
  later.port1.onmessage = () => {
    if (!isWaiting) return;
    isWaiting = false;
    // What new code disposes of is changed already: nothing can be said about this update, and the next one is not waited for.
    if (page.isUnchanged()) updates.before();
    else readsAtOnce = true;
  };
  hot.on(EDIT, (data) => {
    const { id, disposes } = data as EditNotice;
    edits.push(id);
    updates.expect(id);
    readsAtOnce ||= disposes;
  });
  let isFirst = true;
  hot.on("vite:beforeUpdate", () => {
    // Vite removes its error overlay right after this. Once removed here, it is no change of the page; but with the first update
    // Vite looks for it, to load the page again.
    if (!isFirst) for (const overlay of document.querySelectorAll("vite-error-overlay")) overlay.remove();
    isFirst = false;
    if (readsAtOnce) {
      updates.before();
      return;
    }
    isWaiting = true;
    page.watch();
    later.port2.postMessage(0);
  });
  hot.on("vite:afterUpdate", () => {
    isWaiting = false;
    updates.after(edits);
    edits = [];
  });
}
