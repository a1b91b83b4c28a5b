import { HubClient } from "@debug-bridge/client";
import { chooseSession, startRecording, stopRecording } from "@debug-bridge/mcp";
import { Command } from "commander";
import { findSessionHub } from "../../hub/session-hub.js";
import { type CommonOptions, withCommon, withHome, withJson } from "../../options.js";
import { pageRecordings } from "../../recording/find-recording.js";
import { addDetails } from "../../terminal/help.js";
import { printJson, printLine } from "../../terminal/output.js";

interface StartOptions extends CommonOptions {
  readonly reload?: boolean;
}

export function startCommand(): Command {
  const command = withCommon(new Command("start"))
    .description("record the actions and requests of a session")
    .argument("[session]", "the session; the one in use if left out")
    .option("--reload", "reload the page, so that the recording has its beginning")
    .action(start);
  return addDetails(command, {
    notes:
      "It records actions of people and agents as steps that can be replayed, requests of scripts with their bodies, and the clock. Typed secrets are not recorded.",
    examples: ["debug-bridge record start --reload", "debug-bridge record start local-dev"],
  });
}

async function start(name: string | undefined, options: StartOptions): Promise<void> {
  const { hub, session } = await sessionOf(name, options);
  await startRecording(hub, session, options.reload ?? false);
  if (options.json) await printJson({ session, recording: true });
  else printLine(`recording ${session}; debug-bridge record stop ends it`);
  hub.close();
}

export function stopCommand(): Command {
  const command = withCommon(new Command("stop"))
    .description("end the recording of a session")
    .argument("[session]", "the session; the one in use if left out")
    .action(stop);
  return addDetails(command, { examples: ["debug-bridge record stop"] });
}

async function stop(name: string | undefined, options: CommonOptions): Promise<void> {
  const { hub, session } = await sessionOf(name, options);
  const recording = await stopRecording(hub, session);
  hub.close();
  if (options.json) await printJson({ session, recording });
  else if (recording === undefined) printLine(`nothing was recorded of ${session}`);
  else printLine(`${recording}; debug-bridge record reproduce ${recording} replays it`);
}

async function sessionOf(
  name: string | undefined,
  options: CommonOptions,
): Promise<{ hub: HubClient; session: string }> {
  const { hub: found, session } = await findSessionHub(options, name);
  const hub = new HubClient({ hub: async () => found, name: "cli" });
  return { hub, session: session ?? chooseSession(await hub.sessions(), "page").id };
}

export function listCommand(): Command {
  const command = withJson(withHome(new Command("list")))
    .description("list the recordings of apps, tabs and browsers")
    .action(async (options: Omit<CommonOptions, "hub">) => {
      const recordings = pageRecordings(options.home).map(({ id, name, kind, startTime, endTime }) => ({
        ...{ id, session: name, kind, startTime, endTime },
      }));
      if (options.json) await printJson({ recordings });
      else if (recordings.length === 0)
        printLine("there are no recordings; debug-bridge record start makes one");
      else
        for (const { id, session, kind, endTime } of recordings)
          printLine(`${id}  ${kind}  ${session}${endTime === undefined ? "  (not ended)" : ""}`);
    });
  return addDetails(command, { examples: ["debug-bridge record list", "debug-bridge record list --json"] });
}
