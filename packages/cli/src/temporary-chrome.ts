import { findChrome, noChrome } from "@debug-bridge/runner";

const HEADLESS = ["--headless=new", "--no-first-run", "--disable-sync", "--disable-background-networking"];

/** How `execute` launches a Chrome without any logins. */
export function temporaryChrome(): { executablePath: string; args: string[] } {
  const executablePath = findChrome();
  if (executablePath === undefined) throw noChrome();
  // Chrome refuses to run as root with its sandbox.
  const root = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return { executablePath, args: [...HEADLESS, ...root] };
}
