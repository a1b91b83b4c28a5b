/** Removes a hook. */
export type Unhook = () => void;

export function unhookAll(unhooks: readonly Unhook[]): Unhook {
  return () => {
    for (const unhook of unhooks) unhook();
  };
}

/**
 * Replaces a function of the platform by one that calls `around` instead. Name, length, statics, `new` and the printed
 * source stay those of the original. After unhooking, the original is restored. If other code has hooked the function
 * since, ours stays and only passes calls through.
 */
export function hookFunction<Owner extends object, Key extends keyof Owner & string>(
  owner: Owner,
  key: Key,
  handler: {
    call?: (original: (...args: unknown[]) => unknown, self: unknown, args: unknown[]) => unknown;
    construct?: (original: new (...args: unknown[]) => object, args: unknown[], target: unknown) => object;
  },
): Unhook {
  const original = owner[key] as unknown as (...args: unknown[]) => unknown;
  if (typeof original !== "function") return () => {};
  let active = true;
  const source = Function.prototype.toString.call(original);
  const printed = { toString: () => source }.toString;
  const { call, construct } = handler;
  const wrapper: typeof original = new Proxy(original, {
    apply: (target, self, args) =>
      active && call ? call(target, self, args) : Reflect.apply(target, self, args),
    construct: (target, args, made): object =>
      active && construct
        ? construct(target as unknown as new (...args: unknown[]) => object, args, made)
        : (Reflect.construct(target, args, made === wrapper ? target : made) as object),
    get: (target, name, receiver) =>
      name === "toString" ? printed : Reflect.get(target, name, receiver === wrapper ? target : receiver),
  });
  const described = Object.getOwnPropertyDescriptor(owner, key);
  if (described && !described.configurable && !described.writable) return () => {};
  Object.defineProperty(owner, key, {
    configurable: true,
    enumerable: true,
    writable: true,
    ...described,
    value: wrapper,
  });
  // The `constructor` of its instances must be what the app finds under this name.
  const madeBy = construct && Object.getOwnPropertyDescriptor(original.prototype, "constructor");
  const setMadeBy = (value: unknown): void => {
    if (madeBy?.configurable) Object.defineProperty(original.prototype, "constructor", { ...madeBy, value });
  };
  setMadeBy(wrapper);
  return () => {
    active = false;
    if ((owner[key] as unknown) !== wrapper) return;
    setMadeBy(original);
    if (described) Object.defineProperty(owner, key, described);
    else delete owner[key];
  };
}
