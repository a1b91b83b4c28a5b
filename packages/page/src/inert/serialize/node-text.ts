import { MASK } from "@debug-bridge/protocol";
import { getterOf, lowerCase, uncurry } from "../natives.js";
import { isSecretName } from "../secrets/secret-names.js";
import type { Censor } from "./serialize-budget.js";

const inPage = typeof Element === "function";
const nodes = inPage ? Node.prototype : undefined;
const nodeName = /* @__PURE__ */ getterOf<string>(nodes, "nodeName");
const nodeType = /* @__PURE__ */ getterOf<number>(nodes, "nodeType");
const nodeValue = /* @__PURE__ */ getterOf<string | null>(nodes, "nodeValue");
const firstChild = /* @__PURE__ */ getterOf<Node | null>(nodes, "firstChild");
const nextSibling = /* @__PURE__ */ getterOf<Node | null>(nodes, "nextSibling");
const methodOf = (name: "getAttributeNames" | "getAttribute" | "closest"): unknown =>
  inPage ? uncurry(Element.prototype[name] as () => unknown) : () => undefined;
const attributeNames = /* @__PURE__ */ methodOf("getAttributeNames") as (self: unknown) => string[];
const attribute = /* @__PURE__ */ methodOf("getAttribute") as (self: unknown, name: string) => string | null;
const closest = /* @__PURE__ */ methodOf("closest") as (self: unknown, selector: string) => object | null;

const ELEMENT = 1;
const TEXT = 3;
const MAX_ATTRIBUTES = 20;
const ATTRIBUTE_LENGTH = 100;
const TEXT_LENGTH = 200;
/** Marks everything below it as private. */
const PRIVATE = "[data-bridge-mask]";

export interface NodeText {
  readonly tagName: string;
  readonly html: string;
}

/**
 * A node in one line: the tag with its attributes, and its text when it holds nothing else. The whole `outerHTML` of a
 * body would take milliseconds, and a clone would run the constructors of custom elements. Throws when it is no node.
 */
export function describeNode(node: object, censor: Censor): NodeText {
  const tagName = nodeName(node);
  if (typeof tagName !== "string") throw new TypeError("not a node");
  const type = nodeType(node);
  if (type !== ELEMENT) return { tagName, html: censor.fit(nodeValue(node) ?? "", TEXT_LENGTH) };
  const hidden = closest(node, PRIVATE) != null || censor.hidesNode?.(node) === true;
  const tag = lowerCase(tagName);
  return {
    tagName,
    html: `<${tag}${attributesText(node, hidden, censor)}>${contentText(node, hidden, censor)}</${tag}>`,
  };
}

function attributesText(element: object, isPrivate: boolean, censor: Censor): string {
  const names = attributeNames(element);
  const hidesValue = isPrivate || isSecretField(element);
  let text = "";
  for (let i = 0; i < names.length && i < MAX_ATTRIBUTES; i++) {
    const name = names[i] as string;
    const hidden = isSecretName(name) || (hidesValue && isContent(name));
    text += ` ${name}="${hidden ? MASK : censor.fit(attribute(element, name) ?? "", ATTRIBUTE_LENGTH)}"`;
  }
  return names.length > MAX_ATTRIBUTES ? `${text} …` : text;
}

/** Attributes that hold what a person typed or reads. */
function isContent(name: string): boolean {
  return name === "value" || name === "placeholder" || name === "title" || name === "alt";
}

/** A field for a password, by its type or by its names. */
function isSecretField(element: object): boolean {
  if (attribute(element, "type") === "password") return true;
  return isSecretName(attribute(element, "name") ?? "") || isSecretName(attribute(element, "id") ?? "");
}

function contentText(element: object, isPrivate: boolean, censor: Censor): string {
  const child = firstChild(element);
  if (child === null) return "";
  if (nodeType(child) !== TEXT || nextSibling(child) !== null) return "…";
  return isPrivate ? MASK : censor.fit(nodeValue(child) ?? "", TEXT_LENGTH);
}
