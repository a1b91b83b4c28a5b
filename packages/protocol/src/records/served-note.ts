/** Files that a server compiles: what it serves of them has other lines than what was written. */
const COMPILED = /\.(?:[cm]?tsx?|jsx|vue|svelte|astro|mdx)(?:[?#]|$)/;

/**
 * What is said after a place that was not mapped back to the source: the same name with other lines looks like the same file.
 *
 * @example `shop.tsx:14${servedNote("http://localhost/src/shop.tsx?t=1")}` // "shop.tsx:14 as served"
 */
export const servedNote = (url: string): string => (COMPILED.test(url) ? " as served" : "");
