import type { ReactNode } from "react";
import { type KeyHelp, KeysDialog } from "../components/keys.js";

const KEYS: KeyHelp = [
  [["Enter"], "Send the message"],
  [["Shift", "Enter"], "Start a new line"],
  [["Esc"], "Stop the agent, or stop picking an element"],
  [["↓", "Enter"], "While picking: go to an element, pick it"],
  [["Ctrl", "K"], "Search the chats"],
  [["↑", "↓"], "Go through the list of chats"],
  [["Ctrl", "V"], "Add a picture from the clipboard"],
  [["?"], "Show these keys"],
];

/** What the keyboard does in the chat. */
export function Shortcuts({ onClose }: { onClose(): void }): ReactNode {
  return <KeysDialog keys={KEYS} onClose={onClose} />;
}
