/** Attributes in which build tools write where an element comes from. */
const ATTRIBUTES = [
  "data-source",
  "data-source-loc",
  "data-v-inspector",
  "data-astro-source-loc",
  "data-inspector-relative-path",
];
/** Angular: `src/app.ts@o:15,l:2,c:10`, lines from 0. */
const ANGULAR = "data-ng-source-location";

export function ofAttributes(element: Element): string {
  for (const name of ATTRIBUTES) {
    const value = element.getAttribute(name);
    if (value) return place(element, name, value);
  }
  const [, file, line] = /^(.+)@o:\d+,l:(\d+)/.exec(element.getAttribute(ANGULAR) ?? "") ?? [];
  return file === undefined ? "" : `\n${file}:${Number(line) + 1}`;
}

/** Astro writes the file into a separate attribute, and the place where the tag ends, which may be lines behind its begin. */
function place(element: Element, name: string, value: string): string {
  const file = name === "data-astro-source-loc" ? element.getAttribute("data-astro-source-file") : null;
  return `\n${file ?? value}`;
}
