import { Command } from "commander";
import { showApprovals } from "../chat/saved-approvals.js";
import { exportChat, listChats, showChat } from "../chat/saved-chats.js";
import { type ChatOptions, sendMessages } from "../chat/send-message.js";
import { collect, collectOrigin, withCommon, withHome, withJson, withPage } from "../options.js";
import { addDetails } from "../terminal/help.js";

/** `chat [MESSAGE]`, and `chat list|show|export|approvals`. Its options may come before or after the name of a subcommand. */
export function chatCommand(): Command {
  const command = withPage(withCommon(new Command("chat")))
    .usage("[options] [MESSAGE]")
    .argument("[message]", "the message; without it, chat is interactive or reads stdin")
    .option("--provider <name>", "codex, claude-code, reference or acp:NAME")
    .option("--chat <chat>", "continue a chat, by its id or the end of it")
    .option("--continue", "continue the chat that was used last")
    .option("--approve <origin>", "let the agent act on a site, or on all (repeatable)", collectApproval, [])
    .action((message: string | undefined, options: ChatOptions) => sendMessages(message, options));
  command.addCommand(
    addDetails(
      withJson(withHome(new Command("list")))
        .description("list the chats, newest first")
        .option("--archived", "include archived chats")
        .action((_options, sub: Command) => listChats(sub.optsWithGlobals())),
      { examples: ["debug-bridge chat list", "debug-bridge chat list --json"] },
    ),
  );
  command.addCommand(
    addDetails(
      withJson(withHome(new Command("show")))
        .description("show a chat")
        .argument("<id>", "its id, or the end of it")
        .action((chat: string, _options, sub: Command) => showChat(chat, sub.optsWithGlobals())),
      { examples: ["debug-bridge chat show 7ZK3", "debug-bridge chat show 7ZK3 --json"] },
    ),
  );
  command.addCommand(
    addDetails(
      withJson(withHome(new Command("export")))
        .description("print a chat as Markdown")
        .argument("<id>", "its id, or the end of it")
        .action((chat: string, _options, sub: Command) => exportChat(chat, sub.optsWithGlobals())),
      { examples: ["debug-bridge chat export 7ZK3 > chat.md"] },
    ),
  );
  command.addCommand(
    addDetails(
      withJson(withHome(new Command("approvals")))
        .description("list the sites where agents may always act")
        .option("--forget <origin>", "stop always allowing this site (repeatable)", collectOrigin, [])
        .action((_options, sub: Command) => showApprovals(sub.optsWithGlobals())),
      {
        examples: [
          "debug-bridge chat approvals",
          "debug-bridge chat approvals --forget http://localhost:5173",
        ],
      },
    ),
  );
  return addDetails(command, {
    notes:
      "The answer goes to standard output, steps and messages to standard error. With --json every event is a line. Ctrl+C stops the run; the conversation so far is kept. When no hub runs, it starts one that runs until the command ends.",
    examples: [
      'debug-bridge chat "why does the checkout fail?"',
      'debug-bridge chat --provider claude-code "look at the console"',
      'debug-bridge chat --continue "and on a phone?"',
      "debug-bridge chat list",
    ],
  });
}

const collectApproval = (value: string, earlier: string[]): string[] =>
  value === "all" ? collect(value, earlier) : collectOrigin(value, earlier);
