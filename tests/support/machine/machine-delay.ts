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
 * What it takes to reach a process that does nothing else and to get a response, measured until something is done: the
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
    const startedAt = performance.now();
    const answered = new Promise((resolve) => echo.stdout.once("data", resolve));
    echo.stdin.write(".");
    await answered;
    hops.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  echo.kill();
  await done;
  // The first one includes the start of the process.
  return median(hops.slice(1));
}

const TICK_MS = 20;
/** A process that only waits wakes up this late on any machine with work to do. */
const USUAL_MS = 30;
const WAITING = `
let stalled = 0, before = performance.now();
setInterval(() => {
  const now = performance.now();
  stalled += Math.max(0, now - before - ${TICK_MS} - ${USUAL_MS});
  before = now;
}, ${TICK_MS});
process.stdin.on("end", () => process.stdout.write(String(Math.round(stalled)), () => process.exit())).resume();
process.stdout.write("ready ");
`;

/**
 * For how long the machine let nobody run until something was done: how much later than every 20 ms, in all, a separate process was
 * woken up that does nothing. In milliseconds. A machine whose cores are all in use still wakes it up in time; one that is stopped by its host
 * does not.
 */
export async function stallWhile(done: Promise<unknown>): Promise<number> {
  const waiting = spawn(process.execPath, ["-e", WAITING]);
  let output = "";
  const closed = new Promise((resolve) => waiting.on("close", resolve));
  waiting.stdout.on("data", (data) => {
    output += data;
  });
  await done.catch(() => {});
  waiting.stdin.end();
  await closed;
  await done;
  return Number(output.split(" ")[1]);
}
