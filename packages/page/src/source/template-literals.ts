import { HOLE, signatureOf } from "./template-signature.js";

/** An element in a template literal of a file. */
interface TemplateElement {
  readonly name: string;
  /** Where it begins in the file. */
  readonly at: number;
}

export interface TemplateLiteral {
  readonly signature: string;
  /** In the order of the document; `undefined` when it is not certain which is which. */
  readonly elements: readonly TemplateElement[] | undefined;
  /** What the browser makes of it: comments for expressions, and no attribute that has one. */
  readonly content: DocumentFragment;
}

const LITERAL = /\b(html|svg)\s*(?:<[\w\s,.|[\]]*>)?`/g;
/** Markup without a function that reads it, such as what is written into `innerHTML`. */
const PLAIN_LITERAL = /`(?=\s*<[a-zA-Z])/g;
const MAX_LITERALS = 2_000;
/** Stands for an expression in the name or the value of an attribute. */
const IN_TAG = "lit-hole";

/** The template literals of Lit in a file, or those that hold markup and are no more than texts. */
export function templateLiterals(content: string, isPlain = false): TemplateLiteral[] {
  const literals: TemplateLiteral[] = [];
  for (const { 0: opening, 1: tag, index } of content.matchAll(isPlain ? PLAIN_LITERAL : LITERAL)) {
    if (literals.length >= MAX_LITERALS) break;
    const literal = readLiteral(content, index + opening.length, tag === "svg");
    if (literal) literals.push(literal);
  }
  return literals;
}

function readLiteral(content: string, from: number, isSvg: boolean): TemplateLiteral | undefined {
  const elements: TemplateElement[] = [];
  let html = "";
  /** In a tag: empty, or the quote that an attribute's value is in. */
  let quote: string | undefined;
  let isInTag = false;
  let at = from;
  for (; content[at] !== "`"; at++) {
    const char = content[at];
    if (char === undefined) return undefined;
    // What an escape stands for is not worth finding out.
    if (char === "\\") return undefined;
    if (char === "$" && content[at + 1] === "{") {
      const end = endOfExpression(content, at + 2);
      if (end === undefined) return undefined;
      html += isInTag ? IN_TAG : `<!--${HOLE}-->`;
      at = end;
      continue;
    }
    if (!isInTag && content.startsWith("<!--", at)) {
      const end = content.indexOf("-->", at);
      if (end < 0 || content.slice(at, end).includes("${")) return undefined;
      html += content.slice(at, end + 3);
      at = end + 2;
      continue;
    }
    if (!isInTag && char === "<") {
      const [, name] = /^<([a-zA-Z][^\s/>`$]*)/.exec(content.slice(at, at + 100)) ?? [];
      if (name !== undefined) elements.push({ name: name.toLowerCase(), at });
      isInTag = /[a-zA-Z/]/.test(content[at + 1] ?? "");
    } else if (isInTag && quote === undefined && char === ">") isInTag = false;
    else if (isInTag && (char === '"' || char === "'"))
      quote = quote === undefined ? char : quote === char ? undefined : quote;
    html += char;
  }
  return describe(html, elements, isSvg);
}

function describe(html: string, elements: readonly TemplateElement[], isSvg: boolean): TemplateLiteral {
  const template = document.createElement("template");
  // Parsed, and never put into the page: nothing of it runs or loads.
  template.innerHTML = isSvg ? `<svg>${html}</svg>` : html;
  if (isSvg)
    template.content.firstElementChild?.replaceWith(...template.content.firstElementChild.childNodes);
  const parsed = [...template.content.querySelectorAll("*")];
  for (const each of parsed)
    for (const { name, value } of [...each.attributes])
      if (name.includes(IN_TAG) || value.includes(IN_TAG)) each.removeAttribute(name);
  const isSure =
    parsed.length === elements.length &&
    parsed.every(({ localName }, i) => localName.toLowerCase() === elements[i]?.name);
  const { content } = template;
  return { signature: signatureOf(content), elements: isSure ? elements : undefined, content };
}

/** The index of the brace that ends an expression. Strings, comments and templates in it may have braces too. */
function endOfExpression(content: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < content.length; at++) {
    const char = content[at];
    if (char === "}" && depth-- === 0) return at;
    if (char === "{") depth++;
    else if (char === '"' || char === "'" || char === "`") {
      const end = endOfText(content, at);
      if (end === undefined) return undefined;
      at = end;
    } else if (char === "/" && (content[at + 1] === "/" || content[at + 1] === "*")) {
      const end = content.indexOf(content[at + 1] === "/" ? "\n" : "*/", at);
      if (end < 0) return undefined;
      at = end;
    }
  }
  return undefined;
}

function endOfText(content: string, from: number): number | undefined {
  const quote = content[from];
  for (let at = from + 1; at < content.length; at++) {
    const char = content[at];
    if (char === quote) return at;
    if (char === "\\") at++;
    else if (char === "\n" && quote !== "`") return undefined;
    else if (quote === "`" && char === "$" && content[at + 1] === "{") {
      const end = endOfExpression(content, at + 2);
      if (end === undefined) return undefined;
      at = end;
    }
  }
  return undefined;
}
