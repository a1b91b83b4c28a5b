import type { Locator } from "@debug-bridge/protocol";
import type { Step } from "../recording/types.js";

/** A step in words. */
export function stepText(step: Step, locator: Locator | undefined = step.locators[0]): string {
  const { action, value, secret, key, url, files, x = 0, y = 0 } = step;
  const where = locator ? locatorText(locator) : "the page";
  switch (action) {
    case "goto":
      return `go to ${url}`;
    case "back":
      return "go back";
    case "fill":
      return `fill ${where} with ${secret === undefined ? JSON.stringify(value ?? "") : `the secret ${secret}`}`;
    case "select":
      return `select ${JSON.stringify((value ?? "").replaceAll("\n", ", "))} in ${where}`;
    case "press":
      return `press ${key}${locator ? ` in ${where}` : ""}`;
    case "scroll":
      return `scroll ${where} to ${x}, ${y}`;
    case "upload":
      return `choose ${(files ?? []).join(", ")} in ${where}`;
    case "dblclick":
      return `double-click ${where}`;
    default:
      return `${action} ${where}`;
  }
}

function locatorText({ by, value, role, inside }: Locator): string {
  const what = by === "role" ? `${role} "${value}"` : by === "css" ? value : `"${value}"`;
  return inside ? `${what} in the ${inside.role} with "${inside.text}"` : what;
}
