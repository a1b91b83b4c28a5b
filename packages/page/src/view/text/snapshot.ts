import { MASK, truncate } from "@debug-bridge/protocol";
import { maskHtmlNames } from "../../privacy/html-names.js";
import type { Masker } from "../../privacy/masker.js";
import { isPrivateAttribute } from "../../privacy/private-attributes.js";
import { isMarked } from "../../privacy/private-elements.js";
import { documentIn, isElement, isFrame, parentAcross } from "../elements/dom.js";

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const RAW = /^(?:script|style|xmp|noembed|noframes|plaintext|noscript)$/;
/** What can hold a secret by its own nature; everything else is left to the browser's own serialiser. */
const SUSPECTS = "input,textarea,select,meta[name],meta[property],script:not([src])";

export interface HtmlOptions {
  readonly masker: Masker;
  readonly isOurs: (node: Node) => boolean;
  readonly maxLength: number;
}

/**
 * The HTML of a node, masked. When nothing below an element needs care, the browser serialises it; only the way down
 * to what does (secret fields, private parts, shadow roots, frames, our own elements) is walked by hand.
 */
export function htmlOf(node: Node, options: HtmlOptions): { html: string; truncated: boolean } {
  const above = parentAcross(node);
  if (above && options.masker.isPrivate(above)) return { html: MASK, truncated: false };
  const writer = new HtmlWriter(options);
  writer.prepare(node);
  writer.write(node);
  const html = options.masker.text(maskHtmlNames(writer.html, options.masker.hides));
  const truncated = html.length > options.maxLength;
  return { html: truncated ? truncate(html, options.maxLength) : html, truncated };
}

class HtmlWriter {
  html = "";
  /** Elements that need care, and everything above them up to where we start. */
  private readonly special = new Set<Node>();

  constructor(private readonly options: HtmlOptions) {}

  prepare(top: Node): void {
    if (!isElement(top) && top.nodeType !== 11 && top.nodeType !== 9) return;
    const root = top as Element;
    const mark = (element: Node): void => {
      for (let at: Node | null = element; at && !this.special.has(at); at = at.parentNode) {
        this.special.add(at);
        if (at === top) break;
      }
    };
    for (const element of [root, ...root.querySelectorAll("*")]) {
      if (!isElement(element)) continue;
      if (element.shadowRoot || isFrame(element) || this.options.isOurs(element)) mark(element);
      else if (element.matches(SUSPECTS) || isMarked(this.options.masker, element)) mark(element);
      else if (element.localName === "template") {
        mark(element);
        this.prepare((element as HTMLTemplateElement).content);
      }
    }
  }

  write(node: Node): void {
    const slot = (node as Element | Text).assignedSlot;
    if (slot && this.options.masker.isPrivate(slot)) {
      this.html += MASK;
      return;
    }
    if (node.nodeType === 3) {
      this.writeText(node as Text);
      return;
    }
    if (!isElement(node)) {
      if (node.nodeType === 8) this.html += `<!--${node.nodeValue ?? ""}-->`;
      else for (const child of node.childNodes) this.write(child);
      return;
    }
    if (this.options.isOurs(node)) return;
    if (!this.special.has(node)) this.html += node.outerHTML;
    else this.writeElement(node);
  }

  private writeElement(element: Element): void {
    const { localName } = element;
    const isPrivate = isMarked(this.options.masker, element);
    this.html += `<${localName}${this.attributes(element, isPrivate)}>`;
    if (VOID.test(localName)) return;
    if (isPrivate) this.html += MASK;
    else this.writeContent(element);
    this.html += `</${localName}>`;
  }

  private writeContent(element: Element): void {
    const { masker } = this.options;
    if (RAW.test(element.localName)) {
      this.html += masker.body(element.textContent ?? "");
      return;
    }
    if (element.localName === "textarea" && masker.isSecretField(element)) {
      this.html += MASK;
      return;
    }
    const inner = element.shadowRoot ?? (isFrame(element) ? documentIn(element)?.documentElement : undefined);
    if (inner) {
      const attribute = element.shadowRoot ? ' shadowrootmode="open"' : " data-frame-document";
      this.html += `<template${attribute}>`;
      this.prepare(inner);
      this.write(inner);
      this.html += "</template>";
    }
    const content = element.localName === "template" ? (element as HTMLTemplateElement).content : element;
    for (const child of content.childNodes) this.write(child);
  }

  private attributes(element: Element, isPrivate: boolean): string {
    const { masker } = this.options;
    const secret = element.matches("input,textarea,select") && masker.isSecretField(element);
    let out = "";
    for (const { name, value } of element.attributes) {
      // The document of the frame is written below, where what is private in it is known.
      if (name === "srcdoc") continue;
      const hide = (secret && name === "value") || (isPrivate && isPrivateAttribute(name));
      out += ` ${name}="${hide && value !== "" ? MASK : escapeAttribute(this.named(element, name, value))}"`;
    }
    return out;
  }

  /** `<meta name="csrf-token" content="…">` */
  private named(element: Element, name: string, value: string): string {
    if (element.localName !== "meta" || name !== "content") return value;
    const called = element.getAttribute("name") ?? element.getAttribute("property") ?? "";
    return this.options.masker.hides(called) ? MASK : value;
  }

  private writeText(text: Text): void {
    const parent = text.parentNode as Element | null;
    const raw = parent !== null && RAW.test(parent.localName);
    this.html += raw ? this.options.masker.body(text.data) : escapeText(text.data);
  }
}

function escapeText(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/\u00a0/g, "&nbsp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}

function escapeAttribute(text: string): string {
  return escapeText(text).replace(/"/g, "&quot;");
}
