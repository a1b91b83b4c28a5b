import type { ChainStep } from "@debug-bridge/protocol";
import type { CdpSession } from "../cdp.js";
import type { InputAction } from "../engine/link-messages.js";

const TYPES =
  "pointerdown mousedown pointerup mouseup click dblclick auxclick contextmenu keydown keypress keyup beforeinput input change submit focusin focus focusout blur dragstart drop";
/** Listeners of one input that are looked at, and those that are remembered in all. */
const MAX_READ = 40;
const MAX_KEPT = 400;
/** Characters that are kept of the text of a function. */
const MAX_CODE = 20_000;
const GROUP = "debug-bridge-reached";

/** A listener that an input reached, by where its function is in a script. Lines and columns count from 0. */
interface Reached {
  readonly type: string;
  readonly at: number;
  readonly times: number;
  readonly scriptId: string;
  readonly line: number;
  readonly column: number;
  readonly name: string;
  /** The text of the function. */
  readonly code: string;
}

interface Remote {
  readonly objectId?: string;
  readonly value?: unknown;
  readonly description?: string;
}
interface Properties {
  readonly result: readonly { readonly name: string; readonly value?: Remote }[];
  readonly internalProperties?: readonly { readonly name: string; readonly value?: Remote }[];
}
interface Named {
  readonly name: string;
  readonly code: string;
}
type Location = { readonly scriptId: string; readonly lineNumber: number; readonly columnNumber?: number };

/** A place that a script runs. */
export interface ScriptPlace {
  readonly functionName: string;
  readonly scriptId?: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Knows which listeners of the page each input of ours reached: the browser does not keep which event started code. */
export class ReachedListeners {
  private kept: Reached[] = [];

  constructor(private readonly cdp: CdpSession) {}

  /** Reads the listeners that an input is going to reach. What cannot be read stays unknown. */
  async read(action: InputAction): Promise<void> {
    const point = "at" in action ? action.at : undefined;
    try {
      const { result } = await this.cdp.send<{ result: Remote }>("Runtime.evaluate", {
        expression: listenersAt(point),
        objectGroup: GROUP,
        includeCommandLineAPI: true,
        silent: true,
      });
      const found = await this.properties(result);
      const members = found.result.filter(({ name }) => /^\d+$/.test(name)).map(({ value }) => value ?? {});
      await this.add(members, Date.now());
    } catch {
      // A page that is being left, or a read-only one.
    } finally {
      this.cdp.send("Runtime.releaseObjectGroup", { objectGroup: GROUP }).catch(() => {});
    }
  }

  /**
   * The step of the listener that code began in. Code that runs in a listener now is of the last input; for what it set up
   * earlier, it must have been reached only once.
   */
  stepOf(place: ScriptPlace | undefined, isRunning: boolean): ChainStep[] {
    if (!place?.scriptId) return [];
    const reached = this.kept.filter((each) => isIn(each, place));
    const last = reached.at(-1);
    if (!last) return [];
    const isSure = isRunning || reached.every(({ at }) => at === last.at);
    const { type, at, times } = last;
    const step = { how: `listener ${type}`, frames: [], ...(times > 1 ? { times } : {}) };
    return [isSure ? { ...step, at } : step];
  }

  private properties({ objectId }: Remote): Promise<Properties> {
    return this.cdp.send<Properties>("Runtime.getProperties", { objectId, ownProperties: true });
  }

  /** Where a function is. Of one that was bound, where the function is that it calls. */
  private async locate(listener: Remote, isBound = false): Promise<(Location & Named) | undefined> {
    const { result, internalProperties = [] } = await this.properties(listener);
    const internal = (name: string): Remote | undefined =>
      internalProperties.find((each) => each.name === name)?.value;
    const location = internal("[[FunctionLocation]]")?.value as Location | undefined;
    const target = internal("[[TargetFunction]]");
    if (!location) return target && !isBound ? this.locate(target, true) : undefined;
    const name = String(result.find((each) => each.name === "name")?.value?.value ?? "");
    return { ...location, name, code: (listener.description ?? "").slice(0, MAX_CODE) };
  }

  /** Members come in threes: the type, the number of the element on the way, the function. */
  private async add(members: readonly Remote[], at: number): Promise<void> {
    const read = await Promise.all(
      Array.from({ length: Math.min(MAX_READ, Math.floor(members.length / 3)) }, async (_, i) => {
        const [type, node, listener] = members.slice(3 * i, 3 * i + 3) as [Remote, Remote, Remote];
        const found = await this.locate(listener);
        if (!found) return [];
        const { scriptId, lineNumber: line, columnNumber: column = 0, name, code } = found;
        return [
          { type: String(type.value), at, node: Number(node.value), scriptId, line, column, name, code },
        ];
      }),
    );
    const all = read.flat();
    const added = all.map(({ node, ...each }) => {
      const same = all.filter(
        (other) =>
          other.node === node &&
          other.type === each.type &&
          other.scriptId === each.scriptId &&
          other.line === each.line &&
          other.column === each.column,
      );
      return { ...each, times: same.length };
    });
    this.kept = [...this.kept, ...added].slice(-MAX_KEPT);
  }
}

/** Whether a place is in the function itself, and not in one that is written inside it. */
function isIn(reached: Reached, { scriptId, lineNumber, columnNumber, functionName }: ScriptPlace): boolean {
  if (reached.scriptId !== scriptId) return false;
  const lines = reached.code.split("\n");
  const row = lineNumber - reached.line;
  const line = lines[row];
  const column = row === 0 ? columnNumber - reached.column : columnNumber;
  if (line === undefined || column < 0 || column > line.length) return false;
  if (reached.name !== "" && reached.name === functionName) return true;
  const before = [...lines.slice(0, row), line.slice(0, column)].join("\n");
  // Beyond its own head there is no other function up to the place.
  return (
    (before.match(/=>|\bfunction\b/g) ?? []).length <= 1 &&
    !/\w\s*\([^()]*\)\s*\{.*\w\s*\([^()]*\)\s*\{/s.test(before)
  );
}

/** Lists the listeners on the way of an event, from the element at a point, or with the focus, to the window. */
function listenersAt(point: { readonly x: number; readonly y: number } | undefined): string {
  const start = point
    ? `document.elementFromPoint(${Number(point.x)}, ${Number(point.y)})`
    : "document.activeElement";
  return `(() => {
    const types = new Set(${JSON.stringify(TYPES.split(" "))}), found = [];
    let number = 0;
    const add = (node) => {
      number++;
      for (const [type, list] of Object.entries(getEventListeners(node)))
        if (types.has(type))
          for (const { listener } of list)
            found.push(type, number, typeof listener === "function" ? listener : listener?.handleEvent);
    };
    let node = ${start};
    while (node?.shadowRoot) {
      const inner = ${point ? `node.shadowRoot.elementFromPoint(${Number(point.x)}, ${Number(point.y)})` : "node.shadowRoot.activeElement"};
      if (!inner || inner === node) break;
      node = inner;
    }
    for (; node; node = node.parentNode ?? node.host) add(node);
    add(window);
    return found;
  })()`;
}
