import type { Context } from "../tabs/tab.js";

/** Chrome's ids count up from 1; synthetic ids begin where those never get. */
const FIRST_OWN_ID = 1_000_000_000;

interface Own {
  readonly id: number;
  readonly frameId: string;
  /** The name of an isolated world; empty for the page's own. */
  readonly world: string;
  real: number | undefined;
}

/**
 * Synthetic contexts, which clients get before a debugger is attached. Once Chrome reports the real ones, each is bound to
 * the one of the same frame and world until that is destroyed. Later contexts keep Chrome's ids.
 */
export class OwnContexts {
  private next = FIRST_OWN_ID;
  private readonly byId = new Map<number, Own>();
  private readonly byReal = new Map<number, number>();

  /** Whether any id differs between Chrome and the client. */
  get any(): boolean {
    return this.byId.size > 0;
  }

  /** Creates a synthetic context, or returns the one that the frame has for this world. */
  create(frameId: string, world: string, url: string): { context: Context & object; isNew: boolean } {
    const known = [...this.byId.values()].find((own) => own.frameId === frameId && own.world === world);
    const id = known?.id ?? this.next++;
    if (!known) this.byId.set(id, { id, frameId, world, real: undefined });
    const context = {
      id,
      origin: world === "" && URL.canParse(url) ? new URL(url).origin : "",
      name: world,
      uniqueId: `debug-bridge.${id}`,
      auxData: { isDefault: world === "", type: world === "" ? "default" : "isolated", frameId },
    };
    return { context, isNew: known === undefined };
  }

  /** Binds the synthetic context of the same frame and world to a real one; false when none exists. */
  bind({ id, name, auxData }: Context): boolean {
    const world = auxData?.isDefault ? "" : name;
    for (const own of this.byId.values()) {
      if (own.real !== undefined || own.frameId !== auxData?.frameId || own.world !== world) continue;
      if (world === "" && !auxData?.isDefault) continue;
      own.real = id;
      this.byReal.set(id, own.id);
      return true;
    }
    return false;
  }

  /** Chrome's id for an id that the client uses. */
  toReal(id: number): number {
    return this.byId.get(id)?.real ?? id;
  }

  /** The client's id for an id of Chrome. */
  toOwn(id: number): number {
    return this.byReal.get(id) ?? id;
  }

  /** The world of a synthetic context; `undefined` for one of Chrome's. */
  worldOf(id: number): string | undefined {
    return this.byId.get(id)?.world;
  }

  dropReal(id: number): void {
    const own = this.byReal.get(id);
    if (own === undefined) return;
    this.byReal.delete(id);
    this.byId.delete(own);
  }

  clear(): void {
    this.byId.clear();
    this.byReal.clear();
  }
}
