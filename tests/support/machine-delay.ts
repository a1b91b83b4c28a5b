import { spawn } from "node:child_process";

const at = (share: number, numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0;

/** The value in the middle. */
const median = (numbers: readonly number[]): number => at(0.5, numbers);

/**
 * A delay that a quarter of the events stay below: on a busy machine the others wait for their turn, but what the product
 * itself delays, it delays for all.
 */
export const usualDelay = (delays: readonly number[]): number => at(0.25, delays);

/**
 * What it takes to reach a process that does nothing else and to hear from it, measured until something is done: the
 * machine's own part in every delay. In milliseconds, the median.
 */
export async function hopWhile(done: Promise<unknown>): Promise<number> {
  const echo = spawn(process.execPath, ["-e", "process.stdin.pipe(process.stdout)"]);
  const hops: number[] = [];
  let isDone = false;
  void done
    .catch(() => {})
    .then(() => {
      isDone = true;
    });
  while (!isDone) {
    const begun = performance.now();
    const answered = new Promise((resolve) => echo.stdout.once("data", resolve));
    echo.stdin.write(".");
    await answered;
    hops.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  echo.kill();
  await done;
  // The first one includes the start of the process.
  return median(hops.slice(1));
}
