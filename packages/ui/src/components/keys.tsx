import { type ReactNode, useEffect } from "react";
import { Modal } from "./modal.js";

const isApple = (): boolean => /^Mac|^iP/.test(navigator.platform);
const keyName = (key: string): string => (key === "Ctrl" && isApple() ? "⌘" : key);

/** Keys, pressed together or one after the other, and what they do. */
export type KeyHelp = readonly (readonly [keys: readonly string[], what: string])[];

/** What the keyboard does. */
export function KeysDialog({ keys, onClose }: { readonly keys: KeyHelp; onClose(): void }): ReactNode {
  return (
    <Modal className="shortcuts" title="Keys" onClose={onClose}>
      <dl>
        {keys.map(([pressed, what]) => (
          <div key={what}>
            <dt>
              {pressed.map((key) => (
                <kbd key={key}>{keyName(key)}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

/** Calls the actions of keys that work everywhere in the window. */
export function useShortcuts(search: () => void, showKeys: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        search();
      } else if (event.key === "?" && !isWriting(event.target)) {
        event.preventDefault();
        showKeys();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [search, showKeys]);
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("textarea, select, input:not([type=radio])");
