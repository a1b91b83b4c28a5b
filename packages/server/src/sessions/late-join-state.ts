import type { AppMessage } from "@debug-bridge/protocol";

/** Deltas kept after the newest tree; with more of them a new tree is cheaper. */
const MAX_DELTAS = 100;
const MAX_SCOPES = 200;

/**
 * The state of a page for agents that join late: `hello`, `capabilities`, the newest `ui_tree` with the
 * deltas after it, and the newest `state_update` of each scope. Kept as the text that came in.
 */
export class LateJoinState {
  /** The page's current address. */
  url: string | undefined;
  hello: Extract<AppMessage, { type: "hello" }> | undefined;
  private helloText: string | undefined;
  private capabilities: string | undefined;
  private offersTree = false;
  /** Whether the app allows evaluation; `undefined` until it reports its capabilities. */
  allowsEval: boolean | undefined;
  private uiTree: string | undefined;
  private deltas: string[] = [];
  private readonly states = new Map<string, string>();

  update(message: AppMessage, text: string): void {
    switch (message.type) {
      case "hello":
        if (message.instanceId === undefined || message.instanceId !== this.hello?.instanceId)
          this.clearPage();
        this.hello = message;
        this.url = message.url;
        this.helloText = text;
        return;
      case "navigation":
        this.url = message.to;
        return;
      case "capabilities":
        this.capabilities = text;
        this.offersTree = message.capabilities.includes("ui_tree");
        this.allowsEval = message.capabilities.includes("eval");
        return;
      case "ui_tree":
        this.uiTree = text;
        this.deltas = [];
        return;
      case "ui_tree_delta":
        if (this.deltas.length < MAX_DELTAS) this.deltas.push(text);
        else this.clearTree();
        return;
      case "state_update":
        this.states.delete(message.scope);
        this.states.set(message.scope, text);
        if (this.states.size > MAX_SCOPES) this.states.delete(this.states.keys().next().value as string);
    }
  }

  /** The messages to send to a late agent, in the order in which an app sends them. */
  messages(): string[] {
    const single = [this.helloText, this.capabilities, this.uiTree].filter((text) => text !== undefined);
    return [...single, ...this.deltas, ...this.states.values()];
  }

  /** True when the app can send a tree, and none is kept that is still valid. */
  get lacksTree(): boolean {
    return this.uiTree === undefined && this.offersTree;
  }

  private clearTree(): void {
    this.uiTree = undefined;
    this.deltas = [];
  }

  private clearPage(): void {
    this.clearTree();
    this.capabilities = undefined;
    this.offersTree = false;
    this.allowsEval = undefined;
    this.states.clear();
  }
}
