/** Links of all templates of create-vite. */
export const LINKS = ["Explore Vite", "Learn more", "GitHub", "Discord", "X.com", "Bluesky"];
export const items = (count: number): string[] => Array.from({ length: count }, (_, i) => `Item ${i + 1}`);
/** Buttons, some on several lines. */
const buttons = (count: number): string =>
  items(count)
    .map((item, i) =>
      i % 3 === 1
        ? `      <button\n        title="${item} of ${count}"\n      >${item}</button>`
        : `      <button>${item}</button>`,
    )
    .join("\n");

/** A component with a number of buttons. */
export const jsxShelf = (count: number): string => `interface Unused { readonly gone: string }
type AlsoGone = Unused | string;

export function Shelf() {
  const note: AlsoGone = "thirteen";
  return (
    <p title={note}>
${buttons(count)}
    </p>
  );
}
`;
export const vueShelf = (count: number): string => `<script setup lang="ts">
const note: string = "thirteen";
</script>

<template>
    <p :title="note">
${buttons(count)}
    </p>
</template>
`;
export const svelteShelf = (count: number): string => `<script lang="ts">
  const note: string = "thirteen";
</script>

<p title={note}>
${buttons(count)}
</p>
`;
export const litShelf = (count: number): string => `import { html, LitElement } from "lit";
import { customElement } from "lit/decorators.js";

@customElement("my-shelf")
export class MyShelf extends LitElement {
  render() {
    const note: string = "thirteen";
    return html\`
    <p title=\${note}>
${buttons(count)}
    </p>
    \`;
  }
}
`;
export const plainShelf = (count: number): string => `const note: string = "thirteen";

export const shelf = (): string => \`
    <p title="\${note}">
${buttons(count)}
    </p>
\`;
`;
export const astroShelf = (count: number): string => `---
const note: string = "thirteen";
---

<p title={note}>
${buttons(count)}
</p>
`;
export const angularShelf = (count: number): string => `import { Component } from "@angular/core";

@Component({
  selector: "app-shelf",
  template: \`
    <p [title]="note">
${buttons(count)}
    </p>
  \`,
})
export class Shelf {
  protected readonly note: string = "thirteen";
}
`;
