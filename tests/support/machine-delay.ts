import { spawn } from "node:child_process";

/** The value in the middle. */
export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

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
