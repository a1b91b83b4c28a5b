/** With the rest of its line when it is alone there. */
const TAG = /(?:^[ \t]*)?<script src="[^"]*\/sdk\.js" data-session="[^"]*"><\/script>\r?\n?/m;

/** A page with the script tag of the SDK as the first thing in its head; `undefined` if it has no head. */
export function withScriptTag(html: string, hub: string, session: string): string | undefined {
  const head = /<head(?:\s[^>]*)?>/i.exec(withoutComments(html));
  if (!head) return undefined;
  const place = head.index + head[0].length;
  const [indent = ""] = /^\r?\n[ \t]*/.exec(html.slice(place)) ?? [];
  const tag = `<script src="${hub}/sdk.js" data-session="${session}"></script>`;
  return `${html.slice(0, place)}${indent}${tag}${html.slice(place)}`;
}

/** The page without the tag that `withScriptTag` added. */
export function withoutScriptTag(html: string): string {
  return html.replace(TAG, "");
}

export function hasScriptTag(html: string): boolean {
  return /<script\b[^>]*\bsrc=["'][^"']*\/sdk\.js["']/i.test(withoutComments(html));
}

function withoutComments(html: string): string {
  return html.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, " "));
}
