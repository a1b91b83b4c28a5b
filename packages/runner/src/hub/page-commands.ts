import {
  type CommandInput,
  type CommandOutcome,
  errorFromBody,
  type UiTree,
  type UiTreeItem,
} from "@debug-bridge/protocol";
import type { BrowserHubClient } from "./browser-hub.js";

/** Sends commands of the app wire to the launched page, through the hub. */
export class PageCommands {
  constructor(
    private readonly client: BrowserHubClient,
    private readonly sessionId: string,
    /** When it is aborted the running command is cancelled and no further one is sent. */
    private readonly signal?: AbortSignal,
  ) {}

  /** Runs one command. Throws a `BridgeError` when it fails or is refused. */
  async run(input: CommandInput): Promise<CommandOutcome> {
    const { signal } = this;
    signal?.throwIfAborted();
    const result = await this.client.command(this.sessionId, input, signal ? { signal } : {});
    if (result.success) return result;
    const { error, message, details } = result;
    throw errorFromBody({
      ...(error === undefined ? {} : { code: error }),
      ...(message === undefined ? {} : { message }),
      details,
    });
  }

  /** The elements that a person could use now. The page reports them as a `ui_tree` record before its result. */
  async items(): Promise<UiTreeItem[]> {
    let tree: UiTree | undefined;
    const unsubscribe = this.client.subscribe(this.sessionId, ({ type, data }) => {
      if (type === "ui_tree") tree = data as UiTree;
    });
    try {
      await this.run({ type: "request_ui_tree", format: "items" });
    } finally {
      unsubscribe();
    }
    return tree?.items ?? [];
  }
}
