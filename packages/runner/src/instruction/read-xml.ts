import { BridgeError } from "@debug-bridge/protocol";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { MAX_XML_CHARACTERS, unescapeXml } from "./xml-text.js";

const MAX_TAGS = 500;
const ROOT = "browser_action";
const CDATA_OPEN = "<![CDATA[";
const CDATA_CLOSE = "]]>";
/** Fields whose leading and trailing spaces are part of the value. */
const VERBATIM: ReadonlySet<string> = new Set(["text", "code", "value"]);

/** Also matches CDATA sections, so that their content is skipped. */
const LONE_AMPERSAND =
  /<!\[CDATA\[[\s\S]*?\]\]>|&(?!(?:lt|gt|amp|quot|apos|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)/g;

/** Entities are left to `unescapeXml`. A DOCTYPE, which could define new ones, is refused earlier. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  cdataPropName: "#cdata",
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: 8,
});

type Node = { readonly ":@"?: Record<string, string> } & { readonly [tag: string]: Node[] | string };

/**
 * An instruction's fields as text, from its XML: one element each, inside `<browser_action>` or without it, or as
 * attributes of `<browser_action … />`. `action` is an alias of `type`.
 *
 * @example readXml("<type>click</type><targets>Save</targets>") // { type: "click", targets: "Save" }
 */
export function readXml(xml: string): Record<string, string> {
  refuseHostile(xml);
  const fields = new Map<string, string>();
  const nodes = parse(xml);
  const elements = nodes.filter((node) => tagOf(node) !== "#text");
  const root =
    elements.length === 1 && tagOf(elements[0] as Node) === ROOT ? (elements[0] as Node) : undefined;
  if (root) {
    for (const [name, value] of Object.entries(root[":@"] ?? {})) add(fields, name, unescapeXml(value));
  } else if (elements.some((node) => tagOf(node) === ROOT)) {
    throw new BridgeError(
      "invalid_message",
      "an instruction is a single <browser_action> element; send them one at a time",
    );
  }
  for (const node of root ? (root[ROOT] as Node[]) : nodes) addElement(fields, node);
  if (fields.size === 0) throw new BridgeError("invalid_message", `${quote(xml)} contains no XML element`);
  return Object.fromEntries(fields);
}

function refuseHostile(xml: string): void {
  if (xml.length > MAX_XML_CHARACTERS) {
    throw new BridgeError(
      "too_large",
      `the instruction has ${xml.length} characters; at most ${MAX_XML_CHARACTERS} are allowed`,
    );
  }
  const markup = withoutCdata(xml);
  if (/<!(DOCTYPE|ENTITY)/i.test(markup)) {
    throw new BridgeError("invalid_message", "a DOCTYPE is not allowed in an instruction; leave it out");
  }
  let tags = 0;
  for (let at = markup.indexOf("<"); at !== -1; at = markup.indexOf("<", at + 1)) tags++;
  if (tags > MAX_TAGS) {
    throw new BridgeError("too_large", `the instruction has ${tags} tags; at most ${MAX_TAGS} are allowed`);
  }
}

/** The text without CDATA sections. A missing end is searched for only once, not again from every start. */
function withoutCdata(xml: string): string {
  let markup = "";
  let at = 0;
  for (;;) {
    const open = xml.indexOf(CDATA_OPEN, at);
    if (open === -1) return markup + xml.slice(at);
    const close = xml.indexOf(CDATA_CLOSE, open + CDATA_OPEN.length);
    if (close === -1) return markup + xml.slice(at);
    markup += xml.slice(at, open);
    at = close + CDATA_CLOSE.length;
  }
}

function parse(xml: string): Node[] {
  // Fields may come without a root element, so one is added. An & that starts no reference is a literal &.
  const body = xml
    .replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, "")
    .replace(LONE_AMPERSAND, (found) => (found === "&" ? "&amp;" : found));
  const document = `<r>${body}</r>`;
  const verdict = XMLValidator.validate(document);
  if (verdict !== true) {
    const { msg, line, col } = verdict.err;
    const about = `${msg} (line ${line}, column ${Math.max(1, line === 1 ? col - 3 : col)})`;
    throw new BridgeError(
      "invalid_message",
      `the instruction is not well-formed XML: ${about}. Write < as &lt; and & as &amp; in values, or use <![CDATA[…]]>`,
    );
  }
  try {
    return (parser.parse(document) as Node[])[0]?.r as Node[];
  } catch (thrown) {
    throw new BridgeError(
      "invalid_message",
      `the instruction cannot be parsed as XML: ${(thrown as Error).message}`,
    );
  }
}

function tagOf(node: Node): string {
  return Object.keys(node).find((key) => key !== ":@") ?? "#text";
}

function addElement(fields: Map<string, string>, node: Node): void {
  const tag = tagOf(node);
  if (tag === "#text" || tag === "#cdata") {
    const text = textOf([node]).trim();
    if (text !== "") throw new BridgeError("invalid_message", `${quote(text)} is outside of any element`);
    return;
  }
  if (node[":@"]) throw new BridgeError("invalid_message", `<${tag}> takes no attributes`, { field: tag });
  const children = node[tag] as Node[];
  const inner = children.map(tagOf).find((child) => child !== "#text" && child !== "#cdata");
  if (inner) {
    throw new BridgeError(
      "invalid_message",
      `<${tag}> contains the element <${inner}>; a field contains only text, so write < as &lt; or use <![CDATA[…]]>`,
      { field: tag },
    );
  }
  add(fields, tag, textOf(children));
}

function textOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      const cdata = node["#cdata"];
      if (cdata) return (cdata as Node[]).map((part) => part["#text"] as unknown as string).join("");
      return unescapeXml(String(node["#text"] ?? ""));
    })
    .join("");
}

function add(fields: Map<string, string>, name: string, value: string): void {
  const key = name === "action" ? "type" : name;
  if (fields.has(key))
    throw new BridgeError("invalid_message", `${key} is given twice; give it once`, { field: key });
  fields.set(key, VERBATIM.has(key) ? value : value.trim());
}

function quote(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 60)}…` : line);
}
