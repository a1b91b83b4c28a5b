import { type ReactNode, useEffect } from "react";
import { Modal } from "./modal.js";

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["Enter"], "Send the message"],
  [["Shift", "Enter"], "Start a new line"],
  [["Esc"], "Stop the agent, or stop picking an element"],
  [["↓", "Enter"], "While picking: go to an element, pick it"],
  [["Ctrl", "K"], "Search the chats"],
  [["↑", "↓"], "Go through the list of chats"],
  [["Ctrl", "V"], "Add a picture from the clipboard"],
  [["?"], "Show these keys"],
];

const isApple = (): boolean => /^Mac|^iP/.test(navigator.platform);
const keyName = (key: string): string => (key === "Ctrl" && isApple() ? "⌘" : key);

/** What the keyboard does. */
export function Shortcuts({ onClose }: { onClose(): void }): ReactNode {
  return (
    <Modal className="shortcuts" title="Keys" onClose={onClose}>
      <dl>
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
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
