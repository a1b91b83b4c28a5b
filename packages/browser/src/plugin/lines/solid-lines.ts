import { projectModule } from "../page/project-module.js";

/** The property of an element under which its place is kept. It is no attribute: the DOM looks as without the plugin. */
const PROPERTY = "__debugBridgeSource";

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number } };
  readonly [field: string]: unknown;
}

interface Babel {
  parseSync(code: string, options: object): SyntaxNode | null;
}

interface Mark {
  readonly at: number;
  readonly text: string;
}

/** Where the HTML parser adds an element, or ends one early, Solid would reach for another one than was written. */
const PARENTS: Readonly<Record<string, RegExp>> = {
  tr: /^(?:tbody|thead|tfoot)?$/,
  td: /^(?:tr)?$/,
  th: /^(?:tr)?$/,
  col: /^(?:colgroup)?$/,
};
const NOT_INSIDE: Readonly<Record<string, RegExp>> = {
  p: /^(?:address|article|aside|blockquote|center|details|dialog|dir|div|dl|fieldset|figcaption|figure|footer|form|h\d|header|hgroup|hr|main|menu|nav|ol|p|pre|search|section|table|ul)$/,
  a: /^a$/,
  button: /^button$/,
  form: /^form$/,
};

/**
 * Has each element of Solid carry the line that it is written in and its component, which Solid itself does not keep. Lines stay where they
 * are. `undefined` when there is nothing to add, or when that is not certain to be right.
 */
export async function withSolidLines(code: string, path: string, root: string): Promise<string | undefined> {
  if (!code.includes("<") || /@jsxImportSource/.test(code) || /["&\\\s]/.test(path)) return undefined;
  const babel = await compilerOf(root);
  const tree = babel?.parseSync(code, {
    ...{ babelrc: false, configFile: false, sourceType: "module" },
    parserOpts: { plugins: ["jsx", ...(path.endsWith(".tsx") ? ["typescript"] : []), "decorators"] },
  });
  if (!tree) return undefined;
  const marks = marksIn(tree, path);
  let marked = code;
  for (const { at, text } of marks.sort((a, b) => b.at - a.at))
    marked = `${marked.slice(0, at)} prop:${PROPERTY}="${text}"${marked.slice(at)}`;
  return marks.length > 0 ? marked : undefined;
}

function marksIn(tree: SyntaxNode, path: string): Mark[] {
  const marks: Mark[] = [];
  /** `tags` are the elements around, up to the next component or expression. */
  const visit = (node: SyntaxNode, component: string, tags: readonly string[]): boolean => {
    let [owner, around] = [component, tags];
    const before = marks.length;
    if (node.type === "JSXElement") {
      const name = tagOf(node);
      if (name === undefined) around = [];
      else {
        if (!mayBeIn(name, tags)) return false;
        const opening = node.openingElement as SyntaxNode;
        const at = (opening.name as SyntaxNode).end;
        marks.push({
          at,
          text: `${path}:${opening.loc.start.line}${component && ` ${component}`}`,
        });
        around = [...tags, name];
      }
    } else if (node.type.startsWith("JSX") && node.type !== "JSXFragment") around = [];
    else owner = componentName(node) ?? component;
    // One that cannot be marked must not let those around it be marked either: they share a template.
    const isSafe = childrenOf(node).every((child) => visit(child, owner, around));
    if (isSafe) return true;
    marks.length = Math.min(before, marks.length);
    return node.type !== "JSXElement" && node.type !== "JSXFragment";
  };
  visit(tree, "", []);
  return marks;
}

function mayBeIn(name: string, tags: readonly string[]): boolean {
  if (PARENTS[name] && !PARENTS[name].test(tags.at(-1) ?? "")) return false;
  return tags.every((each) => !NOT_INSIDE[each]?.test(name));
}

/** The name of an element of the page; a component's begins with a capital letter, or has a dot. */
function tagOf(element: SyntaxNode): string | undefined {
  const { name } = element.openingElement as { name: SyntaxNode };
  const text = name.type === "JSXIdentifier" ? String(name.name) : "";
  return /^[a-z]/.test(text) ? text : undefined;
}

/** The name of a component that a node declares. */
function componentName({ type, id, init }: SyntaxNode): string | undefined {
  const { name } = (id ?? {}) as { name?: unknown };
  if (typeof name !== "string" || !/^[A-Z]\w*$/.test(name)) return undefined;
  const isCode = /Function|Class/.test(type) || /Function|Call/.test((init as SyntaxNode | null)?.type ?? "");
  return isCode ? name : undefined;
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.entries(node)
    .filter(([field]) => !/^(?:loc|extra|errors|tokens|comments|\w+Comments)$/.test(field))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value): value is SyntaxNode => typeof (value as SyntaxNode | null)?.type === "string");
}

const compilers = new Map<string, Promise<Babel | undefined>>();

/** The compiler that the project itself uses. */
function compilerOf(root: string): Promise<Babel | undefined> {
  const known = compilers.get(root) ?? projectModule<Babel>(root, "@babel/core", "vite-plugin-solid");
  compilers.set(root, known);
  return known;
}
