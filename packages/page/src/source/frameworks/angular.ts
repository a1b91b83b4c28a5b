import { codeForm } from "./forms.js";

/** What Angular puts on the window in development. */
interface NgGlobal {
  getOwningComponent(element: Element): object | null;
}

interface ComponentDef {
  readonly decls: number;
  readonly tView?: { readonly bindingStartIndex: number } | null;
  readonly debugInfo?: {
    readonly className?: string;
    readonly filePath?: string;
    readonly lineNumber?: number;
  };
}

/** What Angular keeps at an element once its tools were asked about it. */
interface Context {
  readonly nodeIndex?: number;
  readonly lView?: readonly [unknown, { readonly template?: unknown }] | null;
}

/** The component that an element is written in. */
function componentOfAngular(element: Element): object | undefined {
  const { ng } = globalThis as { ng?: NgGlobal };
  return ng?.getOwningComponent?.(element) ?? undefined;
}

/**
 * The compiled template has a call for each element, which the source map leads back to the template. Without it, the component says its
 * own file.
 */
export function ofAngular(element: Element): string {
  const component = componentOfAngular(element);
  if (!component) return "";
  const type = component.constructor as { name: string; ɵcmp?: ComponentDef };
  const { className = type.name.replace(/^_(?=[A-Z])/, ""), filePath } = type.ɵcmp?.debugInfo ?? {};
  return `${className}\n${instruction(element, type.ɵcmp) ?? filePath ?? ""}`;
}

function instruction(element: Element, definition: ComponentDef | undefined): string | undefined {
  const { nodeIndex = 0, lView } = (element as unknown as { __ngContext__: Context }).__ngContext__;
  const template = lView?.[1].template;
  const first = (definition?.tView?.bindingStartIndex ?? 0) - (definition?.decls ?? 0);
  if (typeof template !== "function" || first <= 0) return undefined;
  const text = Function.prototype.toString.call(template);
  const name = element.localName.replace(/[^\w-]/g, "");
  // From the number on: calls that follow each other are one expression, and not every map says where the next one begins.
  const calls = [...text.matchAll(new RegExp(`(?<=\\(\\s*)${nodeIndex - first}\\s*,\\s*"${name}"`, "g"))];
  return calls.length === 1 ? codeForm(text, calls[0]?.index, name) : undefined;
}
