import { delimiter } from "node:path";
import { temporaryFolder } from "../../fixtures.js";
import { BIN, type ChatHub, recordedProgram, startChatHub } from "../chat/chat.js";
import { type ModelServer, type ModelTurn, startModelServer } from "./model-server.js";

/** A hub whose Claude Code has separate settings, and a stand-in as its model. */
export async function claudeHub(
  turns: readonly ModelTurn[],
  before?: () => Promise<void>,
): Promise<{ hub: ChatHub; model: ModelServer; config: string; calls(): string[][] }> {
  const model = await startModelServer(turns, before);
  const config = temporaryFolder();
  const claude = recordedProgram("claude");
  const hub = await startChatHub(temporaryFolder(), {
    path: `${claude.folder}${delimiter}${BIN}`,
    env: {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CONFIG_DIR: config,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
  });
  return { hub, model, config, calls: claude.calls };
}
