import { NAMES, page } from "./twenty.js";

const list = NAMES.map((name) => `      <button title="${name}">\n        ${name}\n      </button>`).join(
  "\n",
);
const more = NAMES.map((name) => `    <button>More {"${name}"}</button>`).join("\n\n");

/** Twenty buttons in two components of JSX, with types that the compiler removes. */
export const jsxApp = (
  main: string,
): Record<"index.html" | "src/main.tsx" | "src/app.tsx" | "src/parts/more.tsx", string> => ({
  "index.html": page("main.tsx"),
  "src/main.tsx": main,
  "src/app.tsx": `import { More } from "./parts/more.tsx";
interface Unused { readonly gone: string }
type AlsoGone = Unused | string;

export function App() {
  return (
    <main>
${list}
      <More />
    </main>
  );
}
`,
  "src/parts/more.tsx": `export const More = () => (
  <section>
${more}
  </section>
);
`,
});
