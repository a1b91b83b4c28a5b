/** Links of all templates of create-vite. */
export const LINKS = ["Explore Vite", "Learn more", "GitHub", "Discord", "X.com", "Bluesky"];
export const ITEMS = Array.from({ length: 13 }, (_, i) => `Item ${i + 1}`);
/** Thirteen buttons in a component of their own, some on several lines. */
const BUTTONS = ITEMS.map((item, i) =>
  i % 3 === 1
    ? `      <button\n        title="${item} of 13"\n      >${item}</button>`
    : `      <button>${item}</button>`,
).join("\n");

export const jsxShelf = `interface Unused { readonly gone: string }
type AlsoGone = Unused | string;

export function Shelf() {
  const note: AlsoGone = "thirteen";
  return (
    <p title={note}>
${BUTTONS}
    </p>
  );
}
`;
export const vueShelf = `<script setup lang="ts">
const note: string = "thirteen";
</script>

<template>
    <p :title="note">
${BUTTONS}
    </p>
</template>
`;
