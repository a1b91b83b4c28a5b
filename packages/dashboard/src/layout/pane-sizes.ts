import { useState } from "react";

export interface PaneSizes {
  /** Part of the width of each pane, by its id. */
  readonly shares: Readonly<Record<string, number>>;
  readonly collapsed: readonly string[];
}

const MIN_SHARE = 0.1;

/** Moves the line between two panes by a part of the whole width. None becomes too narrow to use. */
export function resizePanes(
  shares: PaneSizes["shares"],
  left: string,
  right: string,
  by: number,
): PaneSizes["shares"] {
  const [a, b] = [shares[left] ?? 0, shares[right] ?? 0];
  const moved = Math.max(MIN_SHARE - a, Math.min(b - MIN_SHARE, by));
  return { ...shares, [left]: a + moved, [right]: b - moved };
}

const KEY = "debug-bridge-panes";

/** Sizes that are kept for the next time. */
export function usePaneSizes(ids: readonly string[]): [PaneSizes, (sizes: PaneSizes) => void] {
  // Recordings have other panes than sessions, each with their own sizes.
  const key = `${KEY} ${ids.join(" ")}`;
  const [stored, setStored] = useState(() => ({ key, sizes: readSizes(key, ids) }));
  const sizes = stored.key === key ? stored.sizes : readSizes(key, ids);
  const change = (changed: PaneSizes): void => {
    setStored({ key, sizes: changed });
    try {
      localStorage.setItem(key, JSON.stringify(changed));
    } catch {
      // Without storage they hold until the page is left.
    }
  };
  return [sizes, change];
}

function readSizes(key: string, ids: readonly string[]): PaneSizes {
  const even = Object.fromEntries(ids.map((id) => [id, 1 / ids.length]));
  try {
    const { shares, collapsed } = JSON.parse(localStorage.getItem(key) ?? "") as PaneSizes;
    const isWhole = ids.every((id) => typeof shares[id] === "number" && shares[id] >= MIN_SHARE);
    if (isWhole)
      return { shares, collapsed: collapsed.filter((id) => ids.includes(id)).slice(0, ids.length - 1) };
  } catch {
    // Nothing was stored, or something else.
  }
  return { shares: even, collapsed: [] };
}
