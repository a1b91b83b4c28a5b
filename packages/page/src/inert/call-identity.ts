import { defineProperty, NativeWeakMap, weakGet, weakSet } from "./natives.js";
import { ownData } from "./serialize/class-of.js";

/*
 * The SDK and the extension may both observe the same console call or the same error. So that it is recorded once, they
 * share its name through an object in the page's world, as data: neither calls a function of the other. A page that
 * forges this object can only label its own lines.
 */
const SHARED = Symbol.for("debug-bridge.identity");
const MAX_ID = 200;

interface SharedIdentity {
  instanceId: string;
  /** The call that the SDK passes through at this moment. */
  callId: string | undefined;
  /** Names of `error` and `unhandledrejection` events. */
  readonly events: WeakMap<object, string>;
}

/** The SDK's end: names each call and event that it observes. */
export class CallIdentity {
  private count = 0;
  private readonly common: SharedIdentity;

  constructor(owner: object, instanceId: string) {
    const existing = readShared(owner);
    this.common = existing ?? { instanceId, callId: undefined, events: new NativeWeakMap() };
    this.common.instanceId = instanceId;
    if (!existing)
      defineProperty(owner, SHARED, {
        value: this.common,
        enumerable: false,
        configurable: true,
        writable: true,
      });
  }

  nextCall(): string {
    return `${this.common.instanceId}:${++this.count}`;
  }

  /** Runs the console method that the SDK wraps: an observer below it sees which call this is. */
  during<Value>(callId: string, run: () => Value): Value {
    const outer = this.common.callId;
    this.common.callId = callId;
    try {
      return run();
    } finally {
      this.common.callId = outer;
    }
  }

  /** The name of an event; the one that another observer gave it, if there is one. */
  ofEvent(event: object): string {
    const known = weakGet(this.common.events, event);
    if (known !== undefined) return known;
    const callId = this.nextCall();
    weakSet(this.common.events, event, callId);
    return callId;
  }
}

/** The name of the console call that the SDK passes through now; `undefined` without the SDK. */
export function currentCallId(owner: object): string | undefined {
  return safeId(ownValue(readShared(owner), "callId"));
}

let named = 0;

/** The name of an event for an observer that is not the SDK; `undefined` without the SDK. Never throws. */
export function eventCallId(owner: object, event: object): string | undefined {
  try {
    const shared = readShared(owner);
    const instanceId = safeId(ownValue(shared, "instanceId"));
    const events = ownValue(shared, "events") as WeakMap<object, string> | undefined;
    if (instanceId === undefined || events === undefined) return undefined;
    const known = weakGet(events, event);
    if (known !== undefined) return safeId(known);
    const callId = `${instanceId}:e${++named}`;
    weakSet(events, event, callId);
    return callId;
  } catch {
    return undefined;
  }
}

function readShared(owner: object): SharedIdentity | undefined {
  const value = ownValue(owner, SHARED);
  return typeof value === "object" && value !== null ? (value as SharedIdentity) : undefined;
}

const ownValue = (owner: object | undefined, key: PropertyKey): unknown => owner && ownData(owner, key);

function safeId(value: unknown): string | undefined {
  return typeof value === "string" && value.length > 0 && value.length <= MAX_ID ? value : undefined;
}
