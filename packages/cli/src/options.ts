import { InvalidArgumentError } from "commander";

/** A port: 0 takes a free one. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 0 to 65535; 0 takes a free one.");
}

/** Collects an option that may be given several times. */
export function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

/** An origin such as `https://dev.example.com`. */
export function collectOrigin(value: string, earlier: string[]): string[] {
  const origin = URL.canParse(value) ? new URL(value).origin : "null";
  if (origin === "null") throw new InvalidArgumentError('An origin looks like "https://dev.example.com".');
  return collect(origin, earlier);
}
