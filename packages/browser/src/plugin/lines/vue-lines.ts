import { projectModule } from "../page/project-module.js";

/** The property of an element under which its place is kept. It is no attribute: the DOM looks as without the plugin. */
const PROPERTY = "__debugBridgeSource";
/** The kind of a node that is an element, and of an element that is neither a component nor a slot. */
const ELEMENT = 1;
const PLAIN = 0;

interface TemplateNode {
  readonly type: number;
  readonly tagType?: number;
  readonly tag?: string;
  readonly loc: { readonly start: { readonly offset: number; readonly line: number } };
  readonly children?: readonly TemplateNode[];
  readonly branches?: readonly TemplateNode[];
}

interface VueCompiler {
  parse(
    code: string,
    options: { sourceMap: false; filename: string },
  ): {
    readonly descriptor: {
      readonly template: { readonly ast?: TemplateNode; readonly lang?: string } | null;
    };
    readonly errors: readonly unknown[];
  };
}

/**
 * Has each element of a Vue template carry the line that it is written in, which Vue itself does not keep. Lines stay where they are.
 * `undefined` when there is nothing to add, or when that is not certain to be right.
 */
export async function withVueLines(code: string, path: string, root: string): Promise<string | undefined> {
  // Inside `v-pre` everything is text of the page.
  if (!code.includes("<template") || /\bv-pre\b/.test(code)) return undefined;
  const compiler = await compilerOf(root);
  const { descriptor, errors } = compiler?.parse(code, { sourceMap: false, filename: path }) ?? {};
  const { ast, lang } = descriptor?.template ?? {};
  if (!ast || lang || errors?.length) return undefined;
  const places: { at: number; line: number }[] = [];
  const visit = ({ type, tagType, tag = "", loc, children = [] }: TemplateNode): void => {
    const at = loc.start.offset + 1;
    if (type === ELEMENT && tagType === PLAIN && code.startsWith(tag, at))
      places.push({ at: at + tag.length, line: loc.start.line });
    for (const child of children) if (typeof child === "object") visit(child);
  };
  visit(ast);
  let marked = code;
  for (const { at, line } of places.sort((a, b) => b.at - a.at))
    marked = `${marked.slice(0, at)} :${PROPERTY}.prop="'${path.replaceAll("'", "")}:${line}'"${marked.slice(at)}`;
  return marked;
}

const compilers = new Map<string, Promise<VueCompiler | undefined>>();

/** The compiler that the project itself uses. */
function compilerOf(root: string): Promise<VueCompiler | undefined> {
  const known = compilers.get(root) ?? projectModule<VueCompiler>(root, "vue/compiler-sfc");
  compilers.set(root, known);
  return known;
}
