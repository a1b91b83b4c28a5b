import type { SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { ProviderEvent, ProviderStep } from "@debug-bridge/protocol";
import { asCount, asObject, asString, imagesOf } from "../json.js";

type Call = Omit<ProviderStep, "status"> & { readonly status: ProviderStep["status"] };

const STATUSES = { pending: "running", in_progress: "running", completed: "done", failed: "failed" } as const;
const KINDS = { edit: "file", delete: "file", move: "file", execute: "command" } as const;

/** Turns the updates of an agent into events. An update of a tool call names only what changed. */
export class AcpUpdates {
  private readonly calls = new Map<string, Call>();
  private hasText = false;

  constructor(
    private readonly emit: (event: ProviderEvent) => void,
    /** Called when a tool call has ended. */
    private readonly onCallEnd: (id: string, title: string, isError: boolean) => void,
  ) {}

  read(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        if (update.content.type !== "text" || update.content.text === "") return;
        this.hasText = true;
        this.emit({ type: "delta", text: update.content.text });
        return;
      case "tool_call":
      case "tool_call_update":
        this.readCall(update);
        return;
      case "usage_update": {
        const [contextTokens, contextWindow] = [asCount(update.used), asCount(update.size)];
        if (contextTokens !== undefined && contextWindow !== undefined)
          this.emit({ type: "usage", usage: { contextTokens, contextWindow } });
        return;
      }
      default:
    }
  }

  /** What is known about a tool call. */
  call(id: string): Call | undefined {
    return this.calls.get(id);
  }

  private readCall(update: ToolCallUpdate): void {
    const id = update.toolCallId.slice(0, 200);
    const before = this.calls.get(id);
    const kind = update.kind
      ? ((KINDS as Record<string, Call["kind"]>)[update.kind] ?? "tool")
      : before?.kind;
    const status = update.status ? STATUSES[update.status] : (before?.status ?? "running");
    const detail = detailOf(update) ?? before?.detail;
    const title = update.title ?? before?.title ?? "tool";
    const call: Call = {
      id,
      kind: kind ?? "tool",
      title,
      status,
      ...(detail === undefined ? {} : { detail }),
      ...(before?.images === undefined ? {} : { images: before.images }),
      ...imagesOf(update.content),
    };
    this.calls.set(id, call);
    // What the agent says after a tool is a new paragraph.
    if (this.hasText && before === undefined) this.emit({ type: "delta", text: "\n\n" });
    this.emit({ type: "step", ...call });
    if (status !== "running" && before?.status !== status) this.onCallEnd(id, title, status === "failed");
  }
}

function detailOf({ rawInput, rawOutput, content }: ToolCallUpdate): string | undefined {
  const texts = (content ?? []).map((each) => {
    const { text, path } = { ...asObject(asObject(each)?.content), ...asObject(each) } as Record<
      string,
      unknown
    >;
    return asString(text) ?? asString(path) ?? "";
  });
  const parts = [rawInput === undefined ? "" : JSON.stringify(rawInput), ...texts];
  if (texts.join("") === "" && rawOutput !== undefined) parts.push(JSON.stringify(rawOutput));
  const text = parts.filter((part) => part !== "").join("\n");
  return text === "" ? undefined : text;
}
