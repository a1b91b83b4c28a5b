import { useCallback, useSyncExternalStore } from "react";

const KEY = "chat";

const read = (): string | undefined => new URLSearchParams(location.hash.slice(1)).get(KEY) ?? undefined;

function subscribe(onChange: () => void): () => void {
  addEventListener("hashchange", onChange);
  return () => removeEventListener("hashchange", onChange);
}

/** The chat that this window shows. It is in the address, so it survives a reload and can be linked to. */
export function useSelectedChat(): readonly [string | undefined, (id: string | undefined) => void] {
  const selected = useSyncExternalStore(subscribe, read);
  const select = useCallback((id: string | undefined) => {
    location.hash = id === undefined ? "" : new URLSearchParams({ [KEY]: id }).toString();
  }, []);
  return [selected, select];
}
