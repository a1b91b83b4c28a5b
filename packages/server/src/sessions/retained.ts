import type { AppMessage } from "@debug-bridge/protocol";

/** Deltas kept after the newest tree before a fresh tree is the cheaper answer. */
const MOST_DELTAS = 100;
const MOST_SCOPES = 200;

/**
 * What an agent that connects late needs of what was said before: `hello`, `capabilities`, the newest `ui_tree` with the
 * deltas after it, and the newest `state_update` of each scope. Kept as the text that came in.
 */
export class Retained {
  /** Where the page is now. */
  url: string | undefined;
  hello: Extract<AppMessage, { type: "hello" }> | undefined;
  private helloText: string | undefined;
  private capabilities: string | undefined;
  private offersTree = false;
  private uiTree: string | undefined;
  private deltas: string[] = [];
  private readonly states = new Map<string, string>();

  note(message: AppMessage, text: string): void {
    switch (message.type) {
      case "hello":
        if (message.instanceId === undefined || message.instanceId !== this.hello?.instanceId)
          this.forgetPage();
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
        return;
      case "ui_tree":
        this.uiTree = text;
        this.deltas = [];
        return;
      case "ui_tree_delta":
        if (this.deltas.length < MOST_DELTAS) this.deltas.push(text);
        else this.forgetTree();
        return;
      case "state_update":
        this.states.delete(message.scope);
        this.states.set(message.scope, text);
        if (this.states.size > MOST_SCOPES) this.states.delete(this.states.keys().next().value as string);
    }
  }

  /** The messages to send to a late agent, in the order in which an app sends them. */
  messages(): string[] {
    const single = [this.helloText, this.capabilities, this.uiTree].filter((text) => text !== undefined);
    return [...single, ...this.deltas, ...this.states.values()];
  }

  /** True when the app can show a tree and none is here that still holds. */
  get lacksTree(): boolean {
    return this.uiTree === undefined && this.offersTree;
  }

  private forgetTree(): void {
    this.uiTree = undefined;
    this.deltas = [];
  }

  private forgetPage(): void {
    this.forgetTree();
    this.capabilities = undefined;
    this.offersTree = false;
    this.states.clear();
  }
}
