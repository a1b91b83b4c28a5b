import type { Chord, ClickOptions, Point, TelemetryBody } from "@debug-bridge/page";
import type { CommandOutcome } from "@debug-bridge/protocol";

/** Trusted input that the engine asks for, in coordinates of the tab's viewport. */
export type InputAction =
  | { readonly type: "click"; readonly at: Point; readonly options: ClickOptions }
  | { readonly type: "hover"; readonly at: Point }
  | { readonly type: "keys"; readonly chords: readonly Chord[] }
  | { readonly type: "insert"; readonly text: string }
  /** `nudge`: what is held must start to move before the page is scrolled to its target. */
  | { readonly type: "grab"; readonly at: Point; readonly nudge: boolean }
  | { readonly type: "drop"; readonly way: readonly Point[] };

/** From the engine in the page to the driver, through a binding. */
export type FromPage =
  /** `isTop`: this is the page itself, and no frame of another origin in it. */
  | { readonly kind: "ready"; readonly url: string; readonly isTop: boolean }
  | { readonly kind: "loaded"; readonly url: string; readonly title: string }
  | { readonly kind: "telemetry"; readonly body: TelemetryBody }
  | { readonly kind: "input"; readonly id: number; readonly action: InputAction }
  /** Answered when everything that the page did before this is recorded. */
  | { readonly kind: "flush"; readonly id: number }
  | { readonly kind: "evaluate"; readonly id: number; readonly code: string }
  /** The next request with this fragment is the engine's own. */
  | { readonly kind: "own_request"; readonly mark: string }
  /** The engine has reserved the numbers of this kind below `end`. */
  | { readonly kind: "reserved"; readonly numbers: string; readonly end: string };

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: Record<string, unknown>;
}

/** How a command ended in the page. `leaving`: the document is being replaced, so this result is incomplete. */
export interface PageReply {
  readonly outcome?: CommandOutcome;
  readonly error?: ErrorBody;
  readonly leaving: boolean;
}

/** How something that the page asked for ended. */
export interface DriverReply {
  readonly value?: unknown;
  readonly error?: ErrorBody;
}

export interface EngineConfig {
  readonly binding: string;
  readonly enableEval: boolean;
  /** The name of the events by which elements say that they have handlers. Nobody else knows it. */
  readonly channel: string;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What the driver calls in the engine's world. Everything crosses as JSON. */
export interface InPageApi {
  /** Which numbers other documents of the page have reserved. */
  reserved(ends: Record<string, string>): void;
  run(id: number, command: string): Promise<string>;
  cancel(id: number): void;
  /** Adds records that CDP captured. */
  addRecords(records: string): void;
  /** Answers something the page asked for. */
  answer(id: number, reply: string): void;
  announce(deltas: boolean): void;
  setDeltas(deltas: boolean): void;
  pause(): void;
  /** Reports what is done in the page from its first moment on: it is recorded. */
  recordFromStart(): void;
  /** The document was not replaced after all. */
  stay(): void;
  /** Waits until the page is quiet. */
  settle(maxMs: number): Promise<boolean>;
  /** Where an element is on the page, scrolled into view. */
  box(target: string): string;
  /** The part of an element that is in the viewport of its document, scrolled into view. */
  visibleBox(target: string): string;
  /** Draws refs over the visible elements; returns how many. */
  showLabels(wholePage: boolean): number;
  hideLabels(): void;
  /** This engine is in a frame of this name, which its refs begin with. */
  setFrame(name: string): void;
  /** Whether a target names something here: `found`, or the code of the error. */
  locate(target: string): string;
  /** Watches for changes that an action elsewhere causes. */
  watch(): void;
  /** The receipt of what changed since `watch`. */
  changes(): Promise<string>;
}

/** What the person's extension calls in the engine's world. */
export interface PickApi {
  /** An element that the person picked, as JSON: ref, role, name, HTML, and source where the element says it. */
  picked(element: Element): string;
  /** Lets the person pick an element for agents: a record of it, and a copy in the clipboard. */
  pick(): void;
}

/** What the driver calls in the engine's world with the `<iframe>` that holds another engine. */
export interface OwnerApi {
  /** Names the frame; false when the element is not in this engine's page. */
  adopt(owner: Element, name: string): boolean;
  /** Which child the element is at each level, from the top of the page down, as JSON. */
  pathTo(owner: Element): string;
  /** Where a point of the frame is in the viewport of this engine's page, as JSON; with `error` when it cannot be pressed. */
  place(owner: Element, x: number, y: number): string;
}
