import { plural } from "@debug-bridge/protocol";
import { type Failure, type Reproduction, stepText } from "@debug-bridge/runner/reproduce";

const NO_STORAGE =
  "recordings keep no cookies or storage: if the app was signed in, give them with --storage FILE, as Playwright saves them";

/** What a reproduction came to, for a reader. */
export function reproductionLines(
  result: Reproduction,
  out: string,
  { storage }: { readonly storage?: string },
): string[] {
  const { failure, recorded, rate } = result;
  const what = failureText(failure);
  if (!result.reproduced)
    return [
      `${what} did not happen in ${rate.of} replays of ${plural(recorded, "action")}`,
      ...result.skipped.slice(0, 5).map((step) => `not possible: ${stepText(step)}`),
      ...result.others.slice(0, 5).map((other) => `happened instead: ${failureText(other)}`),
      ...result.unknown.slice(0, 5).map((request) => `not in the recording: ${request}`),
      ...(storage === undefined ? [NO_STORAGE] : []),
    ];
  const flaky = rate.failed < rate.of ? " (flaky)" : "";
  return [
    `${what}: ${rate.failed} of ${rate.of} replays${flaky}`,
    `${plural(result.steps.length, "action")} of ${recorded}${result.isMinimal ? "" : " (time was over before all could be tried)"}:`,
    ...result.steps.map((step, i) => `  ${i + 1}. ${stepText(step)}`),
    `written to ${out}: ${result.files.filter((each) => !each.endsWith(".jpg")).join(", ")}`,
  ];
}

export function failureText({ message, place }: Failure): string {
  return place ? `"${message}" at ${place.url}:${place.line}` : `"${message}"`;
}
