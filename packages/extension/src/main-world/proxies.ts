import { apply, construct, NativeProxy, weakGet, weakSet } from "@debug-bridge/page/inert";
import { shared } from "./frame-sharing.js";
import { standIn, standInForConstructor } from "./native-stand-in.js";
import { asIfAlone } from "./own-frames.js";

/*
 * To look at a proxy runs its traps, which a page could notice, and frameworks do: a trap
 * that tracks who reads would make the reader's component render again. So proxies are recorded when they are created, and
 * their targets are shown, as DevTools do it.
 */
const MAX_CHAIN = 100;

/** The innermost target of a proxy that was created in this document; `undefined` for any other value. */
export function targetOf(value: object): object | undefined {
  let target = weakGet(shared.targets, value);
  for (let i = 0; target !== undefined && i < MAX_CHAIN; i++) {
    const next = weakGet(shared.targets, target);
    if (next === undefined) return target;
    target = next;
  }
  return target;
}

export function trackProxies(owner: { Proxy: ProxyConstructor }): void {
  standIn(owner.Proxy, "revocable", (original, self, args) => {
    const made = asIfAlone(() => apply(original, self, args) as { proxy: object });
    weakSet(shared.targets, made.proxy, args[0] as object);
    return made;
  });
  standInForConstructor(owner, "Proxy", (args, newTarget) => {
    const made = construct(NativeProxy, args, newTarget) as object;
    weakSet(shared.targets, made, args[0] as object);
    return made;
  });
}
