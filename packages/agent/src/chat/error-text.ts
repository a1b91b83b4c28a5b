/** The line of standard error that says what went wrong: the one that starts with "Error", else the last one. */
export function firstError(stderr: string): string | undefined {
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^\d+: |^Stack backtrace|^at /.test(line));
  return lines.find((line) => /^error\b/i.test(line))?.replace(/^error:\s*/i, "") ?? lines.at(-1);
}
