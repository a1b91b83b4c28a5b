/** A script that makes `Math.random` of a document count up from a seed (mulberry32), so that a replay gets the same numbers. */
export function seededRandom(seed: number): string {
  return `(() => { let state = ${seed >>> 0}; Math.random = () => { state = (state + 0x6d2b79f5) | 0; let t = Math.imul(state ^ (state >>> 15), 1 | state); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296; }; })();`;
}
