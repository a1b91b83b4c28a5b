import { filled, isObject, MAX_COMPONENTS, type Member, membersOf, type ReadComponent } from "./parts.js";

/** What Angular puts on the window in development. */
interface NgGlobal {
  getComponent?(element: Element): object | null;
  getOwningComponent?(of: object): object | null;
  getDirectiveMetadata?(component: object): { readonly inputs?: Record<string, string> } | null;
}

/** The component whose host the element is, and those that it is written in. */
export function componentsOfAngular(element: Element): readonly ReadComponent[] | undefined {
  const { ng } = globalThis as { ng?: NgGlobal };
  if (!ng?.getOwningComponent) return undefined;
  const found: object[] = [];
  const own = ng.getComponent?.(element);
  if (own) found.push(own);
  for (let at = ng.getOwningComponent(element); at; at = ng.getOwningComponent(at)) {
    if (found.includes(at) || found.length >= MAX_COMPONENTS) break;
    found.push(at);
  }
  return found.length > 0 ? found.map((component) => ofComponent(component, ng)) : undefined;
}

function ofComponent(component: object, ng: NgGlobal): ReadComponent {
  const inputs = new Set(Object.values(ng.getDirectiveMetadata?.(component)?.inputs ?? {}));
  const members = membersOf(component, (name) => !name.startsWith("__ng")).map(
    ([name, value]): Member => [name, signalValue(value)],
  );
  return {
    name: component.constructor.name.replace(/^_(?=[A-Z])/, ""),
    parts: filled([
      ["props", members.filter(([name]) => inputs.has(name))],
      ["state", members.filter(([name]) => !inputs.has(name))],
    ]),
  };
}

/** What is in a signal. A computed one is not read, because that may run code of the app. */
function signalValue(value: unknown): unknown {
  if (typeof value !== "function") return value;
  const key = Object.getOwnPropertySymbols(value).find(({ description }) => description === "SIGNAL");
  const node = key && (value as unknown as Record<symbol, unknown>)[key];
  if (!isObject(node)) return value;
  return "computation" in node ? "(computed: not read)" : (node as { value?: unknown }).value;
}
