const IMPORT = 'import { debugBridge } from "@debug-bridge/browser/vite";';
const CALL = "debugBridge()";
/** For an app that Vite serves without a configuration, as some of its own templates are. */
export const NEW_CONFIG = `${IMPORT}\n\nexport default {\n  plugins: [${CALL}],\n};\n`;

/** A Vite configuration with our plugin; `undefined` if its form is not known. Whether it works is checked afterwards. */
export function withVitePlugin(text: string): string | undefined {
  const code = withoutTexts(text);
  if (!/^[ \t]*import\b/m.test(code) && !/\bexport\s+default\b/.test(code)) return undefined;
  const lists = [...code.matchAll(/\bplugins\s*:\s*\[/g)];
  const configs = [...code.matchAll(/\bdefineConfig\(\s*\{|\bexport\s+default\s+\{/g)];
  const [match, ...others] = lists.length > 0 ? lists : configs;
  if (!match || others.length > 0) return undefined;
  const place = match.index + match[0].length;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const added = lists.length > 0 ? firstPlugin(text.slice(place)) : `${eol}  plugins: [${CALL}],`;
  return `${IMPORT}${eol}${text.slice(0, place)}${added}${text.slice(place)}`;
}

/** The configuration without what `withVitePlugin` added; `undefined` if somebody changed that. */
export function withoutVitePlugin(text: string): string | undefined {
  if (text === NEW_CONFIG) return "";
  const left = text
    .replace(/^import \{ debugBridge \} from "@debug-bridge\/browser\/vite";\r?\n/m, "")
    .replace(/\r?\n {2}plugins: \[debugBridge\(\)\],/, "")
    .replace(/(?:\r?\n[ \t]*)?\bdebugBridge\(\)(?:,[ \t]?)?/, "");
  return /debugBridge|@debug-bridge/.test(withoutTexts(left)) ? undefined : left;
}

/** Our call in the way the rest of the list is written. */
function firstPlugin(rest: string): string {
  const [line] = /^[ \t]*\r?\n[ \t]*(?=\S)/.exec(rest) ?? [];
  if (line !== undefined) return `${line.replace(/^[ \t]+(?=\r?\n)/, "")}${CALL},`;
  return /^\s*\]/.test(rest) ? CALL : `${CALL}, `;
}

/** The code with comments and strings blank, of the same length. */
function withoutTexts(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g,
    (found) => found.replace(/[^\n]/g, " "),
  );
}
