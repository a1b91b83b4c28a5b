const STABLE_ID = /^[a-zA-Z][\w-]{0,60}$/;

/**
 * A CSS path for the last resort. It is not the one of the view: Playwright's selectors cross shadow roots at a space,
 * and the script of the SDK that records has no access to what the view uses.
 */
export function pathOf(element: Element): string {
  const root = element.getRootNode() as ParentNode;
  const { id, localName, parentElement } = element;
  if (id && STABLE_ID.test(id) && root.querySelectorAll(`#${id}`).length === 1)
    return `${outside(root)}#${id}`;
  const tag = CSS.escape(localName);
  if (!parentElement) return `${outside(root)}${tag}`;
  if (localName === "body") return "body";
  return `${pathOf(parentElement)} > ${tag}:nth-child(${[...parentElement.children].indexOf(element) + 1})`;
}

function outside(root: ParentNode): string {
  const { host } = root as ShadowRoot;
  return host ? `${pathOf(host)} ` : "";
}
