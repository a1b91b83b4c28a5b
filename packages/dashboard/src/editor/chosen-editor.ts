import { useSyncExternalStore } from "react";
import { EDITORS, type EditorId } from "./editors.js";

const KEY = "debug-bridge-editor";
const DEFAULT: EditorId = "vscode";
const listeners = new Set<() => void>();

/** The editor that the person chose; "none" for none. Whatever is stored otherwise counts as nothing. */
function chosen(): EditorId | "none" {
  try {
    const value = localStorage.getItem(KEY);
    if (value === "none") return value;
    return value !== null && Object.hasOwn(EDITORS, value) ? (value as EditorId) : DEFAULT;
  } catch {
    return DEFAULT;
  }
}

export function chooseEditor(editor: EditorId | "none"): void {
  try {
    localStorage.setItem(KEY, editor);
  } catch {
    // Without storage the choice cannot be kept.
  }
  for (const listener of listeners) listener();
}

export function useChosenEditor(): EditorId | "none" {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosen);
}
