const KEY = Symbol.for("debug-bridge.project-root");
type Holder = { [KEY]?: string };

/** Keeps where the project is on the machine of its development server: frameworks name files by their whole paths. */
export function keepProjectRoot(root: string): void {
  (globalThis as Holder)[KEY] = root.replaceAll("\\", "/").replace(/\/+$/, "");
}

/** The folder of the project; empty when it is not known. */
export function projectRoot(): string {
  return (globalThis as Holder)[KEY] ?? "";
}
