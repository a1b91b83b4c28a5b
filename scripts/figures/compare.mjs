/** What became worse from one run of a benchmark to another. */
import { valueText } from "./store.mjs";

const WORSE = 1.2;
const TIMES = new Set(["ms", "µs", "s"]);
const isRate = (unit) => /a second|\/s$/.test(unit);
/** A machine that was faster or slower by more than this was not the same one, or something else used it. */
const MAX_CONVERSION = 2;
/** Differences below these say nothing: figures near zero jump by more than a fifth. */
const NOISE = { ms: 1, µs: 0.2, "×": 0.05, x: 0.05, MB: 1, KB: 0.5, "": 0.05 };

/**
 * One line for each figure that is more than a fifth worse than the stored one, and for each that is gone. Times and rates are
 * first converted to the speed that the machine had in the stored run, and left out when it was another speed altogether; ratios,
 * tokens and sizes are compared as they are.
 * @param {import("./store.mjs").Result} stored
 * @param {import("./store.mjs").Result} measured
 */
export function whatBecameWorse(stored, measured) {
  return stored.figures.flatMap((before) => {
    const after = measured.figures.find(({ name, unit }) => name === before.name && unit === before.unit);
    if (!after) return [`${stored.bench}: "${before.name}" is no longer measured`];
    if (dependsOnSpeed(after) && !isConvertible(stored, measured)) return [];
    const value = atSpeedOf(stored, measured, after);
    if (!isWorse(before, value)) return [];
    const scaled = value === after.value ? "" : `, ${valueText({ ...after, value })} at the stored speed`;
    return [`${stored.bench}: ${before.name}: ${valueText(after)}${scaled}; stored ${valueText(before)}`];
  });
}

/** One line if times and rates of these two runs say nothing about the code: it names the figures that were not compared. */
export function whatIsNotComparable(stored, measured) {
  const names = stored.figures.filter(dependsOnSpeed).map(({ name }) => name);
  if (names.length === 0 || isConvertible(stored, measured)) return [];
  return [`${stored.bench}: stored at speed ${stored.speed}, now ${measured.speed}: ${names.join("; ")}`];
}

const dependsOnSpeed = ({ unit }) => TIMES.has(unit) || isRate(unit);

function isConvertible(stored, measured) {
  const ratio = measured.speed / stored.speed;
  return ratio <= MAX_CONVERSION && ratio >= 1 / MAX_CONVERSION;
}

function isWorse({ value: before, unit, better }, after) {
  if (Math.abs(after - before) <= (NOISE[unit] ?? 0)) return false;
  return better === "higher" ? after * WORSE < before : after > before * WORSE;
}

/** A slow moment of the machine makes times longer and rates lower; neither says anything about the code. */
function atSpeedOf(stored, measured, { value, unit }) {
  const ratio = measured.speed / stored.speed;
  if (TIMES.has(unit)) return value * ratio;
  return isRate(unit) ? value / ratio : value;
}
