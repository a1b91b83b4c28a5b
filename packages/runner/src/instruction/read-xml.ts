import { BridgeError } from "@debug-bridge/protocol";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { MAX_XML_CHARACTERS, unescapeXml } from "./xml-text.js";

const MAX_TAGS = 500;
const ROOT = "browser_action";
const CDATA_OPEN = "<![CDATA[";
const CDATA_CLOSE = "]]>";
/** Fields whose leading and trailing spaces are part of the value. */
const VERBATIM: ReadonlySet<string> = new Set(["text", "code", "value"]);

/** Signs that no language uses: one that an instruction does not contain takes the place of its & while it is parsed. */
const FIRST_PRIVATE_SIGN = 0xe000;
const LAST_PRIVATE_SIGN = 0xf8ff;

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
  // The parser looks at every & at length. An & that starts no reference is a literal one, which it would refuse.
  const sign = unusedSign(xml);
  const restore = (text: string): string => text.replaceAll(sign, "&");
  const nodes = parse(xml.replaceAll("&", sign));
  const elements = nodes.filter((node) => tagOf(node) !== "#text");
  const root =
    elements.length === 1 && tagOf(elements[0] as Node) === ROOT ? (elements[0] as Node) : undefined;
  if (root) {
    for (const [name, value] of Object.entries(root[":@"] ?? {}))
      add(fields, name, unescapeXml(restore(value)));
  } else if (elements.some((node) => tagOf(node) === ROOT)) {
    throw new BridgeError(
      "invalid_message",
      "an instruction is a single <browser_action> element; send them one at a time",
    );
  }
  for (const node of root ? (root[ROOT] as Node[]) : nodes) addElement(fields, node, restore);
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
  // Fields may come without a root element, so one is added.
  const document = `<r>${xml.replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, "")}</r>`;
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

function unusedSign(xml: string): string {
  for (let code = FIRST_PRIVATE_SIGN; code <= LAST_PRIVATE_SIGN; code++) {
    const sign = String.fromCharCode(code);
    if (!xml.includes(sign)) return sign;
  }
  throw new BridgeError("invalid_message", "the instruction contains every private character of Unicode");
}

function tagOf(node: Node): string {
  return Object.keys(node).find((key) => key !== ":@") ?? "#text";
}

function addElement(fields: Map<string, string>, node: Node, restore: (text: string) => string): void {
  const tag = tagOf(node);
  if (tag === "#text" || tag === "#cdata") {
    const text = textOf([node], restore).trim();
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
  add(fields, tag, textOf(children, restore));
}

function textOf(nodes: readonly Node[], restore: (text: string) => string): string {
  return nodes
    .map((node) => {
      const cdata = node["#cdata"];
      if (cdata) return restore((cdata as Node[]).map((part) => part["#text"] as unknown as string).join(""));
      return unescapeXml(restore(String(node["#text"] ?? "")));
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
