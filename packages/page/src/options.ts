import type { Command, CommandOf, CommandOutcome, UiTreeItem } from "@debug-bridge/protocol";
import type { PageInput } from "./input.js";
import type { Redact } from "./privacy/masker.js";
import type { PageWorld } from "./source/frameworks/page-world.js";
import type { Emit } from "./telemetry.js";
import type { PageView } from "./view/view.js";

/** What the engine captures and allows. Everything is on but evaluation. */
export interface CaptureSwitches {
  /** The DOM as HTML when an agent connects. */
  readonly enableDomSnapshot?: boolean;
  /** Changes of the DOM as they happen. */
  readonly enableDomMutations?: boolean;
  /** The interactive elements, and their changes. */
  readonly enableUiTree?: boolean;
  readonly enableConsole?: boolean;
  /** Uncaught errors, unhandled rejections, resources that did not load. */
  readonly enableErrors?: boolean;
  /** `fetch`, `XMLHttpRequest`, `WebSocket` and `EventSource`. */
  readonly enableNetwork?: boolean;
  readonly enableNavigation?: boolean;
  /** Web vitals and long tasks. */
  readonly enableVitals?: boolean;
  /** State from `getCustomState` and `sendCustomState`. */
  readonly enableState?: boolean;
  /** What the page looks like, as changes of its DOM, while a person looks at it in the dashboard or records it. */
  readonly enableReplay?: boolean;
  /** Lets agents run code in the page. Off unless set. */
  readonly enableEval?: boolean;
  /** Reports bodies of requests and responses, masked and cut. Off unless set. */
  readonly captureBodies?: boolean;
}

export interface PageHooks {
  /** The app's own state; each key becomes one scope. */
  readonly getCustomState?: (() => Record<string, unknown>) | undefined;
  /** Replaces the built-in UI tree. */
  readonly getUiTreeItems?: (() => readonly UiTreeItem[]) | undefined;
  /** What to hide besides passwords, tokens and what `data-bridge-mask` marks. */
  readonly redact?: Redact | undefined;
}

/** What to answer after the page has settled, or the wait for that has ended. */
export type AfterSettling = (settled: boolean) => CommandOutcome | Promise<CommandOutcome>;

/** Actions that need more than a page has, by the type of their command. They come before the engine's own. */
export type ExtraActions = {
  readonly [Type in Command["type"]]?: (
    view: PageView,
    command: CommandOf<Type>,
  ) => AfterSettling | Promise<AfterSettling>;
};

export interface PageEngineOptions extends CaptureSwitches, PageHooks {
  /** Receives every message of the page, already masked. */
  readonly emit: Emit;
  readonly window?: (Window & typeof globalThis) | undefined;
  /** Names this page load. With it, console calls and errors carry a `callId` that other observers share. */
  readonly instanceId?: string | undefined;
  /** How clicks and keys are performed; by dispatched events if omitted. */
  readonly input?: PageInput | undefined;
  /**
   * When records come from outside (CDP): resolves when everything that happened before the call is here, so that a
   * receipt does not close before its last lines.
   */
  readonly caughtUp?: (() => Promise<void>) | undefined;
  readonly actions?: ExtraActions | undefined;
  /**
   * Looks up which elements have handlers, where the engine is not in the app's own world: of the whole page at once, or
   * of each element when it is asked for.
   */
  readonly reacting?: ((isAll: boolean) => (element: Element) => boolean) | undefined;
  /** What frameworks know of elements, where the engine is not in the app's own world. */
  readonly pageWorld?: PageWorld | undefined;
}

type SwitchName = keyof CaptureSwitches;

/** Names of features in `capabilities`. */
const FEATURES: readonly (readonly [feature: string, option: SwitchName])[] = [
  ["dom_snapshot", "enableDomSnapshot"],
  ["dom_mutations", "enableDomMutations"],
  ["ui_tree", "enableUiTree"],
  ["console", "enableConsole"],
  ["errors", "enableErrors"],
  ["network", "enableNetwork"],
  ["navigation", "enableNavigation"],
  ["vitals", "enableVitals"],
  ["state", "enableState"],
  ["replay", "enableReplay"],
  ["eval", "enableEval"],
  ["network_bodies", "captureBodies"],
];

/** The names of all switches. */
export const CAPTURE_SWITCHES: readonly SwitchName[] = /* @__PURE__ */ FEATURES.map(([, option]) => option);

const OFF_BY_DEFAULT: ReadonlySet<SwitchName> = new Set(["enableEval", "captureBodies"]);

export function isOn(options: CaptureSwitches, name: SwitchName): boolean {
  return options[name] ?? !OFF_BY_DEFAULT.has(name);
}

/** The features that are switched on, by their names on the wire. */
export function capabilitiesOf(options: CaptureSwitches): string[] {
  return FEATURES.filter(([, option]) => isOn(options, option)).map(([feature]) => feature);
}
