import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { Readable, Writable } from "node:stream";
import type {
  ContentBlock,
  InitializeResponse,
  McpServer,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import type { ProviderEvent, ProviderOutcome, ProviderRequest } from "@debug-bridge/protocol";
import { createAgentDebugger } from "../../debugger/debugger.js";
import type { AgentDebugger } from "../../types.js";
import { type ChatEnvironment, MCP_NAME, mcpCommand } from "../environment.js";
import { asId } from "../json.js";
import { readBase64 } from "../pictures.js";
import { ACP_FILE, type AcpAgent } from "./agents.js";
import { AcpUpdates } from "./updates.js";

/** Tools that change nothing outside of what our own tools may change. */
const ALLOWED_KINDS: ReadonlySet<string> = new Set(["read", "search", "think", "fetch", "other"]);
const AUTH_REQUIRED = -32_000;
const REPLAY_QUIET_MS = 250;
const MAX_REPLAY_MS = 10_000;

type Sdk = typeof import("@agentclientprotocol/sdk");
type Agent = ReturnType<ReturnType<Sdk["client"]>["connect"]>["agent"];

/** One turn with an agent of the Agent Client Protocol. Its tool calls pass our debugger where it asks for permission. */
export class AcpTurn {
  private readonly debug: AgentDebugger;
  private readonly updates: AcpUpdates;
  /** While an earlier thread is loaded, the agent sends what was said before. */
  private isReplaying = false;
  private lastUpdateAt = 0;

  constructor(
    private readonly agent: AcpAgent,
    private readonly environment: ChatEnvironment,
    private readonly request: ProviderRequest,
    private readonly emit: (event: ProviderEvent) => void,
  ) {
    this.debug = createAgentDebugger({
      ...{ home: environment.home, name: agent.name, provider: "acp", model: agent.name, cwd: request.cwd },
      ...(request.commandsFile === undefined ? {} : { commandsFile: request.commandsFile }),
    });
    this.updates = new AcpUpdates(emit, (toolId, name, isError) => {
      void this.debug.afterToolCall({ toolId, name, isError });
    });
  }

  async run(child: ChildProcessWithoutNullStreams): Promise<ProviderOutcome> {
    const { sessionId: debugged } = this.debug;
    if (debugged !== undefined)
      this.emit({
        ...{ type: "step", id: "agent", kind: "agent", title: `debugged as session ${debugged}` },
        ...{ status: "done", detail: debugged },
      });
    const sdk = await import("@agentclientprotocol/sdk");
    const connection = sdk
      .client({ name: "debug-bridge" })
      .onRequest("session/request_permission", ({ params }) => this.permit(params))
      .onNotification("session/update", ({ params }) => {
        this.lastUpdateAt = Date.now();
        if (!this.isReplaying) this.updates.read(params.update);
      })
      .connect(
        sdk.ndJsonStream(
          Writable.toWeb(child.stdin),
          Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>,
        ),
      );
    try {
      return await this.talk(connection.agent, sdk.PROTOCOL_VERSION);
    } catch (thrown) {
      return this.failure(thrown);
    } finally {
      connection.close();
      this.debug.close();
    }
  }

  private async talk(agent: Agent, protocolVersion: number): Promise<ProviderOutcome> {
    const about = await agent.request("initialize", { protocolVersion, clientCapabilities: {} });
    const sessionId = await this.openSession(agent, about);
    if (sessionId === undefined) return { outcome: "unknown_thread" };
    const { message } = this.request;
    const pictures = this.pictures(about);
    this.debug.userInput(message);
    await this.debug.beforeModelCall({ messages: [{ role: "user", content: message }] });
    const { stopReason } = await agent.request("session/prompt", {
      sessionId,
      prompt: [{ type: "text", text: message }, ...pictures],
    });
    await this.debug.afterModelCall({ stopReason });
    if (stopReason === "end_turn" || stopReason === "cancelled") return { outcome: "done" };
    return { outcome: "failed", code: "tool_failed", message: `${this.agent.name} stopped: ${stopReason}` };
  }

  /** The pictures of the message, for an agent that takes them. */
  private pictures(about: InitializeResponse): ContentBlock[] {
    const { images = [] } = this.request;
    if (about.agentCapabilities?.promptCapabilities?.image === true)
      return images.map((image) => ({ type: "image", mimeType: image.mimeType, data: readBase64(image) }));
    if (images.length > 0)
      this.emit({
        ...{ type: "step", id: "pictures", kind: "notice", status: "failed" },
        title: `${this.agent.name} takes no pictures: it got the text of the message only`,
      });
    return [];
  }

  /** Continues the thread, or starts one; undefined when the agent no longer knows it. */
  private async openSession(agent: Agent, about: InitializeResponse): Promise<string | undefined> {
    const { cwd, resumeSessionId } = this.request;
    const { command, args } = mcpCommand(this.environment, this.request);
    const mcpServers: McpServer[] = [{ name: MCP_NAME, command, args: [...args], env: [] }];
    const canLoad = about.agentCapabilities?.loadSession === true;
    if (resumeSessionId !== undefined) {
      if (!canLoad) return undefined;
      this.isReplaying = true;
      try {
        await agent.request("session/load", { sessionId: resumeSessionId, cwd, mcpServers });
        await this.untilReplayed();
        return resumeSessionId;
      } catch (thrown) {
        if ((thrown as { code?: unknown }).code === AUTH_REQUIRED) throw thrown;
        return undefined;
      } finally {
        this.isReplaying = false;
      }
    }
    const { sessionId } = await agent.request("session/new", { cwd, mcpServers });
    // A thread that could not be loaded later is not worth remembering: the next run gets the conversation instead.
    if (canLoad && asId(sessionId) !== undefined) this.emit({ type: "session", sessionId });
    return sessionId;
  }

  /** Some agents, such as Gemini CLI, still send what was said before when they have answered that it is loaded. */
  private async untilReplayed(): Promise<void> {
    const start = Date.now();
    const isQuiet = (): boolean => Date.now() - Math.max(this.lastUpdateAt, start) >= REPLAY_QUIET_MS;
    while (!isQuiet() && Date.now() - start < MAX_REPLAY_MS)
      await new Promise((resolve) => setTimeout(resolve, REPLAY_QUIET_MS / 5));
  }

  private async permit({ toolCall, options }: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const toolId = toolCall.toolCallId;
    const known = this.updates.call(toolId);
    const title = toolCall.title ?? known?.title ?? "tool";
    const kind =
      toolCall.kind ?? (known?.kind === "command" ? "execute" : known?.kind === "file" ? "edit" : "other");
    const isAllowed = ALLOWED_KINDS.has(kind) || (this.agent.allow as readonly string[]).includes(kind);
    const decision = isAllowed
      ? await this.debug.beforeToolCall({ toolId, name: title, input: toolCall.rawInput ?? null })
      : undefined;
    if (!isAllowed)
      this.emit({
        ...{ type: "step", id: `refused-${toolId}`, kind: "notice", status: "failed" },
        title: `refused: ${title} (${kind}); to allow it, add "allow": ["${kind}"] to ${this.agent.name} in ${ACP_FILE}`,
      });
    const prefix = decision?.run ? "allow" : "reject";
    const option =
      options.find((each) => each.kind === `${prefix}_once`) ??
      options.find((each) => each.kind.startsWith(prefix));
    return {
      outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" },
    };
  }

  private failure(thrown: unknown): ProviderOutcome {
    const {
      message: reason = String(thrown),
      code,
      data,
    } = thrown as { message?: string; code?: unknown; data?: unknown };
    // The reason of an internal error is in its data.
    const message = data === undefined || data === null ? reason : `${reason}: ${JSON.stringify(data)}`;
    if (code !== AUTH_REQUIRED) return { outcome: "failed", code: "tool_failed", message };
    return {
      outcome: "failed",
      code: "auth_required",
      message: `${this.agent.name} is not signed in; run: ${this.agent.command}, and sign in there (${message})`,
    };
  }
}
