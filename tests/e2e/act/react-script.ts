import { bundleScript, root } from "../page/browser.js";

/** The versions of React whose components are read. */
export const REACT_VERSIONS = [18, 19] as const;

/** The small app of React in `fixtures/components`, in development, with one of its versions. */
export function reactScript(version: (typeof REACT_VERSIONS)[number]): Promise<string> {
  const folder = `${root}${version === 18 ? "tests/react-18/" : ""}node_modules`;
  return bundleScript(`${root}tests/e2e/act/fixtures/components/react.ts`, "fixture", {
    mode: "development",
    resolve: {
      conditions: ["browser", "development"],
      alias: { react: `${folder}/react`, "react-dom": `${folder}/react-dom` },
    },
    define: { "process.env.NODE_ENV": `"development"` },
  });
}
