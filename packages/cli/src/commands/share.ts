import { existsSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type FoundHub, findHubs, HubClient } from "@debug-bridge/client";
import { homeFolder } from "@debug-bridge/client/files";
import { debugPaths, folderNames } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";
import type { SharedContents } from "@debug-bridge/protocol/timeline";
import { Command, InvalidArgumentError } from "commander";
import { hubAssets } from "../assets.js";
import { type CommonOptions, withCommon } from "../options.js";
import { addDetails } from "../terminal/help.js";
import { printJson, printLine } from "../terminal/output.js";

interface ShareOptions extends CommonOptions {
  readonly out?: string;
  readonly from?: number;
  readonly to?: number;
  readonly list?: boolean;
}

/** A file that would be shared: what is in it, and how to make it. */
interface Shared {
  readonly contents: SharedContents;
  html(): Promise<string>;
}

export function shareCommand(): Command {
  const command = withCommon(new Command("share"))
    .argument("<session-or-recording>", "id of a session or recording, or the end of it")
    .option("--out <file>", "the file to write (default: NAME.html)")
    .option("--from <time>", "omit records before this time (ISO 8601)", parseTime)
    .option("--to <time>", "omit records after this time (ISO 8601)", parseTime)
    .option("--list", "list the contents and write nothing")
    .action(share);
  return addDetails(command, {
    notes:
      "The file opens in any browser, without a hub. Secrets are masked, except in pictures. The file lists its contents.",
    examples: ["debug-bridge share demo --list", "debug-bridge share 20260123_131000_ab12 --out bug.html"],
  });
}

async function share(name: string, options: ShareOptions): Promise<void> {
  const shared = await find(name, options);
  const { contents } = shared;
  if (options.list) {
    if (options.json) await printJson({ contents });
    else for (const line of contentLines(contents)) printLine(line);
    return;
  }
  const file = options.out ?? `${contents.name.replaceAll(/[^\w.-]+/g, "_")}.html`;
  if (options.out === undefined && existsSync(file))
    throw new BridgeError("invalid_message", `${file} exists; name another file with --out`);
  writeFileSync(file, await shared.html(), { mode: 0o600 });
  if (options.json) await printJson({ file, contents });
  else {
    printLine(`${file} has:`);
    for (const line of contentLines(contents)) printLine(line);
  }
}

/** A hub knows live sessions, and the code of their errors; without one, recordings are read from disk. */
async function find(name: string, options: ShareOptions): Promise<Shared> {
  const hubs = await findHubs(options);
  for (const hub of hubs) {
    const found = await fromHub(hub, name, options);
    if (found) return found;
  }
  const found = await fromDisk(name, options);
  if (found) return found;
  throw new BridgeError(
    "session_not_found",
    `there is no session and no recording "${name}"; debug-bridge sessions lists sessions, and recordings are in ${debugPaths(homeFolder(options.home)).sessions}`,
  );
}

async function fromHub(hub: FoundHub, name: string, options: ShareOptions): Promise<Shared | undefined> {
  const client = new HubClient({ hub: async () => hub, name: "cli" });
  const { recordings } = (await client.get("/v1/recordings")) as { recordings: readonly { id: string }[] };
  const session = (await client.sessions()).find(({ id }) => id === name);
  const recording = byEnd(
    recordings.map(({ id }) => id),
    name,
  );
  if (!session && recording === undefined) return undefined;
  const path = session
    ? `/v1/sessions/${encodeURIComponent(session.id)}`
    : `/v1/recordings/${encodeURIComponent(recording as string)}`;
  const query = new URLSearchParams();
  for (const side of ["from", "to"] as const)
    if (options[side] !== undefined) query.set(side, String(options[side]));
  return {
    contents: (await client.get(`${path}/share/contents?${query}`)) as SharedContents,
    html: () => client.text(`${path}/share?${query}`),
  };
}

async function fromDisk(name: string, { home, from, to }: ShareOptions): Promise<Shared | undefined> {
  const root = homeFolder(home);
  const { sessions } = debugPaths(root);
  const id = byEnd(folderNames(sessions), name);
  if (id === undefined || !existsSync(join(sessions, id, "events.jsonl"))) return undefined;
  const { collectShared, readProgram, recordingOnDisk, sharedHtml } = await import("@debug-bridge/server");
  const recording = recordingOnDisk(root, id);
  try {
    const collected = await collectShared(recording, { from, to });
    return {
      contents: collected.contents,
      html: async () => sharedHtml(collected, readProgram(hubAssets({ demo: false }))),
    };
  } finally {
    recording.close();
  }
}

/** The one with this id, or the only one whose id ends so. */
function byEnd(ids: readonly string[], name: string): string | undefined {
  const wanted = basename(name);
  if (ids.includes(wanted)) return wanted;
  const found = ids.filter((id) => id.endsWith(wanted));
  if (found.length > 1)
    throw new BridgeError(
      "invalid_message",
      `"${name}" is the end of ${found.length} recordings; use one of ${found.slice(0, 5).join(", ")}`,
    );
  return found[0];
}

function contentLines({ records, kinds, from, to, ...rest }: SharedContents): string[] {
  const lines: [string, string][] = [
    ["name", `${rest.name} (${rest.kind})`],
    ["time", records === 0 ? "none" : `${new Date(from).toISOString()} to ${new Date(to).toISOString()}`],
    [
      "records",
      `${records}${Object.entries(kinds)
        .map(([kind, count], i) => `${i === 0 ? ": " : ", "}${count} ${kind}`)
        .join("")}`,
    ],
    ["bodies", String(rest.bodies)],
    ["code", `around ${rest.code} ${rest.code === 1 ? "place" : "places"}`],
    ["replay", rest.replay ? "of the page, masked as it was recorded" : "none"],
    ["pictures", rest.files === 0 ? "none" : `${rest.files}; what they show is not masked`],
    ["masked", `${rest.masked} values`],
    ...rest.leftOut.map((each): [string, string] => ["left out", each]),
  ];
  return lines.map(([name, text]) => `  ${name.padEnd(9)} ${text}`);
}

function parseTime(text: string): number {
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError('It must be a time such as "2026-01-23T13:10:00Z".');
}
