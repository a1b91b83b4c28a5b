/** A node of Preact's tree, with the names that its published code has. */
interface VNode {
  readonly type?: string | ((...args: never[]) => unknown) | null;
  readonly __k?: readonly (VNode | null)[] | VNode | null;
  readonly __?: VNode | null;
  readonly __e?: Node | null;
  readonly __c?: unknown;
  readonly __source?: { readonly fileName?: string; readonly lineNumber?: number };
}

/** No page has deeper or larger trees; a page that pretends it must not keep us. */
const MAX_NODES = 50_000;

/** Finds the nodes of elements. Preact keeps its tree at the element that it renders into, so the tree is read once. */
export function preactNodes(): (element: Element) => VNode | undefined {
  const trees = new Map<Node, Map<Node, VNode>>();
  return (element) => {
    for (let at: Node | null = element.parentNode; at; at = at.parentNode) {
      const top = (at as unknown as VNode).__k;
      if (!top || typeof top !== "object") continue;
      const tree = trees.get(at) ?? nodesBelow(top);
      trees.set(at, tree);
      return tree.get(element);
    }
    return undefined;
  };
}

function nodesBelow(top: NonNullable<VNode["__k"]>): Map<Node, VNode> {
  const nodes = new Map<Node, VNode>();
  const open: (VNode | null | undefined)[] = [top].flat() as VNode[];
  for (let read = 0; open.length > 0 && read < MAX_NODES; read++) {
    const node = open.pop();
    if (!node || typeof node !== "object") continue;
    if (typeof node.type === "string" && node.__e) nodes.set(node.__e, node);
    if (Array.isArray(node.__k)) open.push(...node.__k);
  }
  return nodes;
}

/** The innermost component around a node. A component of Preact's own, such as a fragment, has no instance of its own code. */
function componentOfPreact(node: VNode): VNode | undefined {
  for (let at = node.__; at; at = at.__) if (isComponentOfPreact(at)) return at;
  return undefined;
}

export const isComponentOfPreact = (node: VNode): boolean =>
  typeof node.type === "function" && Boolean(node.__c) && nameOfPreact(node) !== "";

export const nameOfPreact = ({ type }: VNode): string => {
  const { displayName, name = "" } = type as unknown as { displayName?: string; name?: string };
  // The names of Preact's own components are one letter, and not those of people.
  return displayName ?? (name.length > 1 ? name : "");
};

export function ofPreact(node: VNode | undefined): string {
  if (!node) return "";
  const component = componentOfPreact(node);
  const name = component ? nameOfPreact(component) : "";
  const { fileName, lineNumber } = node.__source ?? {};
  return fileName && lineNumber ? `${name}\n${fileName}:${lineNumber}` : name && `${name}\n`;
}
