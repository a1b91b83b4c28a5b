import { signatureOf } from "../template-signature.js";
import { templateForm } from "./forms.js";

/** What Lit renders into an element, or a part of that. Both the development and the minified names. */
interface ChildPart {
  readonly _$startNode?: Node;
  readonly _$AA?: Node;
  readonly _$endNode?: Node | null;
  readonly _$AB?: Node | null;
  readonly _$committedValue?: unknown;
  readonly _$AH?: unknown;
}
interface Instance {
  readonly _$template?: { readonly el: HTMLTemplateElement };
  readonly _$AD?: { readonly el: HTMLTemplateElement };
  readonly _$parts?: readonly (ChildPart | undefined)[];
  readonly _$AV?: readonly (ChildPart | undefined)[];
}

const ROOT_PART = "_$litPart$";
type Rendered = Map<Element, string>;

/** Finds what elements come from that Lit rendered: each root is read once. */
export function litElements(): (element: Element) => string {
  const roots = new Map<Node, Rendered>();
  return (element) => {
    for (let at: Node | null = element.parentNode; at; at = at.parentNode) {
      const part = (at as unknown as { [ROOT_PART]?: ChildPart })[ROOT_PART];
      if (!part || typeof part !== "object") continue;
      const rendered = roots.get(at) ?? elementsOf(part);
      roots.set(at, rendered);
      const location = rendered.get(element);
      const host = (at as ShadowRoot).host ?? (at as Element);
      return location === undefined ? "" : `${classOf(host)}\n${location}`;
    }
    return "";
  };
}

/** Compilers of decorators put a line in front of the names of classes. */
const classOf = (host: Element): string =>
  host.localName.includes("-") ? host.constructor.name.replace(/^_(?=[A-Z])/, "") : "";

function elementsOf(root: ChildPart): Rendered {
  const rendered: Rendered = new Map();
  const signatures = new Map<HTMLTemplateElement, string>();
  const readPart = (part: ChildPart): void => {
    const value = part._$committedValue ?? part._$AH;
    if (Array.isArray(value)) value.forEach(readPart);
    else if (typeof value === "object" && value) readInstance(part, value as Instance);
  };
  const readInstance = (part: ChildPart, instance: Instance): void => {
    const template = (instance._$template ?? instance._$AD)?.el;
    const start = part._$startNode ?? part._$AA;
    if (!template || !start) return;
    const signature = signatures.get(template) ?? signatureOf(template.content);
    signatures.set(template, signature);
    const parts = new Map<Node, ChildPart>();
    for (const each of instance._$parts ?? instance._$AV ?? []) {
      const at = each?._$startNode ?? each?._$AA;
      if (each && at) parts.set(at, each);
    }
    let nth = 0;
    /** Goes through what was written and what is there side by side. Returns whether they are alike. */
    const compare = (written: Node | null, live: Node | null): boolean => {
      let [from, to] = [written, live];
      for (; from; from = from.nextSibling) {
        if (!to || from.nodeType !== to.nodeType || from.nodeName !== to.nodeName) return false;
        const inner = parts.get(to);
        if (from.nodeType === 1) {
          rendered.set(to as Element, templateForm({ signature, nth: nth++ }));
          // What an element of its own holds besides is its own.
          if (from.firstChild && !compare(from.firstChild, to.firstChild)) return false;
        }
        if (inner) readPart(inner);
        to = inner ? (inner._$endNode ?? inner._$AB ?? null) : to.nextSibling;
      }
      return true;
    };
    const before = new Set(rendered.keys());
    if (!compare(template.content.firstChild, start.nextSibling))
      // Somebody else changed what is there: no count can be trusted.
      for (const element of rendered.keys()) if (!before.has(element)) rendered.delete(element);
  };
  readPart(root);
  return rendered;
}
