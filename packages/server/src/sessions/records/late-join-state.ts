import type { AppMessage } from "@debug-bridge/protocol";
import type { ByteBudget, Holder } from "../../bounds/byte-budget.js";
import { HUB_LIMITS } from "../../bounds/limits.js";

/** Deltas kept after the newest tree; with more of them a new tree is cheaper. */
const MAX_DELTAS = 100;
const MAX_SCOPES = 200;
/** What pages say that can send pictures, or changes of their DOM. */
const WATCHABLE = ["pictures", "replay"];

/**
 * The state of a page for agents that join late: `hello`, `capabilities`, the newest `ui_tree` with the
 * deltas after it, and the newest `state_update` of each scope. Kept as the text that came in, within limits: of a page
 * that says too much the oldest scopes go first, then the tree, which can be requested again.
 */
export class LateJoinState implements Holder {
  /** The page's current address. */
  url: string | undefined;
  hello: Extract<AppMessage, { type: "hello" }> | undefined;
  private helloText: string | undefined;
  private capabilities: string | undefined;
  private offersTree = false;
  /** Whether the app allows evaluation; `undefined` until it reports its capabilities. */
  allowsEval: boolean | undefined;
  /** Whether the page can send what it shows while it is watched. */
  canBeWatched = false;
  private uiTree: string | undefined;
  private deltas: string[] = [];
  private readonly states = new Map<string, string>();
  private treeSize = 0;
  private stateSize = 0;

  constructor(private readonly budget?: ByteBudget) {}

  update(message: AppMessage, text: string): void {
    this.keep(message, text);
    if (message.type !== "state_update" && !message.type.startsWith("ui_tree")) return;
    while (this.measure() > HUB_LIMITS.lateJoinOfPage && this.states.size > 0) this.dropOldestState();
    if (this.measure() > HUB_LIMITS.lateJoinOfPage) this.clearTree();
    this.budget?.update(this, this.measure());
  }

  measure(): number {
    return this.treeSize + this.stateSize;
  }

  /** Releases everything that can be long. `hello` and the capabilities stay. */
  release(): void {
    this.clearTree();
    this.clearStates();
    this.budget?.remove(this);
  }

  private keep(message: AppMessage, text: string): void {
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
        this.canBeWatched = WATCHABLE.some((capability) => message.capabilities.includes(capability));
        return;
      case "ui_tree":
        this.clearTree();
        this.uiTree = text;
        this.treeSize = text.length;
        return;
      case "ui_tree_delta":
        if (this.deltas.length >= MAX_DELTAS) {
          this.clearTree();
          return;
        }
        this.deltas.push(text);
        this.treeSize += text.length;
        return;
      case "state_update":
        this.dropState(message.scope);
        this.states.set(message.scope, text);
        this.stateSize += text.length;
        if (this.states.size > MAX_SCOPES) this.dropOldestState();
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

  private dropState(scope: string): void {
    this.stateSize -= this.states.get(scope)?.length ?? 0;
    this.states.delete(scope);
  }

  private dropOldestState(): void {
    const [oldest] = this.states.keys();
    if (oldest !== undefined) this.dropState(oldest);
  }

  private clearStates(): void {
    this.states.clear();
    this.stateSize = 0;
  }

  private clearTree(): void {
    this.uiTree = undefined;
    this.deltas = [];
    this.treeSize = 0;
  }

  private clearPage(): void {
    this.clearTree();
    this.capabilities = undefined;
    this.offersTree = false;
    this.allowsEval = undefined;
    this.clearStates();
    this.budget?.remove(this);
  }
}
