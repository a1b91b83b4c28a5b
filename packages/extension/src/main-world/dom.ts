import { MASK } from "@debug-bridge/protocol";
import { getterOf, lowerCase, uncurry } from "./natives.js";
import { isSecretName, maskText } from "./secrets.js";
import { cut } from "./text.js";

const inPage = typeof Element === "function";
const nothing = (): undefined => undefined;
const nodeName = getterOf<string>(inPage ? Node.prototype : undefined, "nodeName");
const nodeType = getterOf<number>(inPage ? Node.prototype : undefined, "nodeType");
const nodeValue = getterOf<string | null>(inPage ? Node.prototype : undefined, "nodeValue");
const firstChild = getterOf<Node | null>(inPage ? Node.prototype : undefined, "firstChild");
const nextSibling = getterOf<Node | null>(inPage ? Node.prototype : undefined, "nextSibling");
const attributeNames = (inPage ? uncurry(Element.prototype.getAttributeNames) : nothing) as (
  self: unknown,
) => string[];
const attribute = (inPage ? uncurry(Element.prototype.getAttribute) : nothing) as (
  self: unknown,
  name: string,
) => string | null;

const ELEMENT = 1;
const TEXT = 3;
const MOST_ATTRIBUTES = 20;
const ATTRIBUTE_LENGTH = 100;
const TEXT_LENGTH = 200;

export interface NodeText {
  readonly tagName: string;
  readonly html: string;
}

/**
 * A node in one line: the tag with its attributes, and its text when it holds nothing else. The whole `outerHTML` of a
 * body would take milliseconds, and a clone would run the constructors of custom elements. Throws when it is no node.
 */
export function describeNode(node: object): NodeText {
  const tagName = nodeName(node);
  if (typeof tagName !== "string") throw new TypeError("not a node");
  const type = nodeType(node);
  if (type !== ELEMENT) return { tagName, html: cut(nodeValue(node) ?? "", TEXT_LENGTH) };
  const tag = lowerCase(tagName);
  return { tagName, html: `<${tag}${attributesText(node)}>${contentText(node)}</${tag}>` };
}

function attributesText(element: object): string {
  const names = attributeNames(element);
  const password = attribute(element, "type") === "password";
  let text = "";
  for (let i = 0; i < names.length && i < MOST_ATTRIBUTES; i++) {
    const name = names[i] as string;
    const hidden = isSecretName(name) || (password && name === "value");
    text += ` ${name}="${hidden ? MASK : maskText(cut(attribute(element, name) ?? "", ATTRIBUTE_LENGTH))}"`;
  }
  return names.length > MOST_ATTRIBUTES ? `${text} …` : text;
}

function contentText(element: object): string {
  const child = firstChild(element);
  if (child === null) return "";
  if (nodeType(child) !== TEXT || nextSibling(child) !== null) return "…";
  return maskText(cut(nodeValue(child) ?? "", TEXT_LENGTH));
}
