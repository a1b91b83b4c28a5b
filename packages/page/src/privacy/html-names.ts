import { MASK } from "@debug-bridge/protocol";
import type { Hides } from "../inert/secrets/mask-text.js";

const SECRET_ATTRIBUTE = /(\s([\w:.-]+)=")([^"]*)(")/g;
const URL_IN_HTML = /([?&;])((?:amp;)?)([\w.[\]-]{2,60})=([^&"'<>\s;#]+)/g;

/** Masks what names give away in serialised HTML: attributes called like a secret, and parameters of its links. */
export function maskHtmlNames(html: string, hides: Hides): string {
  return html
    .replace(SECRET_ATTRIBUTE, (whole, head: string, name: string, value: string, end: string) =>
      value !== "" && (hides(name) || (name.startsWith("data-") && hides(name.slice(5))))
        ? `${head}${MASK}${end}`
        : whole,
    )
    .replace(URL_IN_HTML, (whole, mark: string, amp: string, name: string) =>
      hides(name) ? `${mark}${amp}${name}=${MASK}` : whole,
    );
}
