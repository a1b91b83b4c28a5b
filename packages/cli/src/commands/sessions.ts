import { Command } from "commander";
import { runningHub } from "../running-hub.js";
import { paint } from "../terminal.js";

interface Summary {
  readonly id: string;
  readonly kind: string;
  readonly connected: boolean;
  readonly apps: number;
  readonly agents: number;
  readonly sequence: number;
  readonly appName?: string;
  readonly url?: string;
}

export function sessionsCommand(): Command {
  return new Command("sessions")
    .description("list all sessions of the running hub")
    .option("--json", "print them as JSON")
    .option("--hub <url>", "address of the hub (default: $DEBUG_BRIDGE_HUB or http://127.0.0.1:4000)")
    .option("--home <dir>", "home of the hub, for its token")
    .action(async (options: { json?: boolean; hub?: string; home?: string }) => {
      const { sessions } = (await runningHub(options).get("/v1/sessions")) as { sessions: Summary[] };
      process.stdout.write(options.json ? `${JSON.stringify({ sessions })}\n` : table(sessions));
    });
}

function table(sessions: readonly Summary[]): string {
  if (sessions.length === 0) return "No session yet. Open an app that embeds the SDK.\n";
  const width = Math.max(...sessions.map(({ id }) => id.length));
  return sessions
    .map((session) => {
      const state = session.connected ? paint("green", "connected") : paint("dim", "gone     ");
      const about = [session.appName, session.url].filter(Boolean).join(" ");
      return `${session.id.padEnd(width)}  ${session.kind.padEnd(7)}  ${state}  ${session.sequence} events, ${session.agents} agents  ${about}\n`;
    })
    .join("");
}
