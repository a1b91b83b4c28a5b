import { CONSOLE_PROTOCOL_VERSION, parseVersion } from "@debug-bridge/protocol";

/** Explains which side is older, and what to update. */
export function upgradeAdvice(version: string, supported: readonly string[]): string {
  const own = parseVersion(CONSOLE_PROTOCOL_VERSION)?.major ?? 0;
  const majors = [...supported, version].flatMap((text) => parseVersion(text)?.major ?? []);
  const newest = Math.max(...majors.filter((major) => major !== own), -1);
  const spoken = supported.length > 0 ? supported.join(", ") : version;
  const older = newest > own ? "the extension" : "the debug-bridge command line";
  return `The hub speaks version ${spoken} of the console wire, this extension speaks ${CONSOLE_PROTOCOL_VERSION}: update ${older}.`;
}
