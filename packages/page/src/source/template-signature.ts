/** Where Lit, and we, put a comment for what a template fills in. */
export const HOLE = "?lit$";

/**
 * What a template holds, whatever its spaces and its expressions are: two templates with the same signature cannot be distinguished.
 */
export function signatureOf(content: DocumentFragment): string {
  const parts: string[] = [];
  const visit = (node: Node): void => {
    if (node.nodeType === 8) {
      const { data } = node as Comment;
      parts.push(data.startsWith(HOLE) ? "?" : `!${squashed(data)}`);
    } else if (node.nodeType === 3) {
      const text = squashed((node as Text).data);
      if (text) parts.push(`"${text}`);
    } else {
      const { localName, attributes } = node as Element;
      parts.push(
        `<${localName} ${Array.from(attributes, ({ name, value }) => `${name}=${squashed(value)}`).join(" ")}`,
      );
      node.childNodes.forEach(visit);
      parts.push(">");
    }
  };
  content.childNodes.forEach(visit);
  return parts.join("\n");
}

const squashed = (text: string): string => text.replace(/\s+/g, " ").trim();
