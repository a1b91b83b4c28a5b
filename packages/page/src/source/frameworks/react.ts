interface Fiber {
  readonly _debugStack?: { readonly stack?: string };
  /** Before React 19. */
  readonly _debugSource?: { readonly fileName: string; readonly lineNumber: number };
  readonly _debugOwner?: { readonly type?: unknown; readonly name?: string } | null;
}

export function ofReact(element: Element): string {
  const key = Object.keys(element).find((each) => each.startsWith("__reactFiber$"));
  if (key === undefined) return "";
  const { _debugStack, _debugSource, _debugOwner } = (element as unknown as Record<string, Fiber>)[
    key
  ] as Fiber;
  const { type, name } = _debugOwner ?? {};
  const component = name ?? (type as { displayName?: string; name?: string })?.displayName;
  const owner = component ?? (type as { name?: string } | undefined)?.name ?? "";
  if (_debugSource) return `${owner}\n${_debugSource.fileName}:${_debugSource.lineNumber}`;
  const stack = _debugStack?.stack ?? "";
  return owner || stack ? `${owner}\n${stack}` : "";
}
