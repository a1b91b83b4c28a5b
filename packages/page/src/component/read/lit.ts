import { filled, MAX_COMPONENTS, type Member, type ReadComponent } from "./parts.js";

type Declared = Map<PropertyKey, { readonly state?: boolean } | undefined>;

/** The element itself if it is a component of Lit, and those around it. */
export function componentsOfLit(element: Element): readonly ReadComponent[] | undefined {
  const found: ReadComponent[] = [];
  for (let at: Element | undefined = element; at && found.length < MAX_COMPONENTS; ) {
    const component = ofHost(at);
    if (component) found.push(component);
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : undefined;
  }
  return found.length > 0 ? found : undefined;
}

function ofHost(host: Element): ReadComponent | undefined {
  const { elementProperties, name } = host.constructor as { elementProperties?: Declared; name: string };
  if (!(elementProperties instanceof Map)) return undefined;
  const declared = [...elementProperties].filter(([key]) => typeof key === "string");
  const read = (isState: boolean): Member[] =>
    declared
      .filter(([, options]) => (options?.state === true) === isState)
      .map(([key]) => [String(key), (host as unknown as Record<PropertyKey, unknown>)[key]]);
  return {
    // Compilers of decorators put a line in front of the names of classes.
    name: name.replace(/^_(?=[A-Z])/, ""),
    parts: filled([
      ["props", read(false)],
      ["state", read(true)],
    ]),
  };
}
