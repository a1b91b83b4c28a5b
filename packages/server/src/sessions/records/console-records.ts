import { type AppMessage, isConsoleMessage } from "@debug-bridge/protocol";
import { asOneLine } from "../../timeline/one-line.js";
import type { AppPeer } from "../peers/app-peer.js";
import { ConsoleLines } from "./console-lines.js";
import { FormattedLines } from "./formatted-lines.js";

/** The console lines of a session: each is recorded once, in one form. */
export class ConsoleRecords {
  readonly lines = new ConsoleLines();
  readonly formatted = new FormattedLines();

  /** The `data` of a message's record; `undefined` for a console line that is recorded already. */
  dataOf(app: AppPeer, message: AppMessage, text: string): string | undefined {
    if (!isConsoleMessage(message)) return text;
    const data = this.lines.fromApp(message, { kind: app.kind, url: app.origin });
    if (data) this.formatted.add(data);
    return data && asOneLine(JSON.stringify(data));
  }
}
