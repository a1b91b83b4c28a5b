/** The parts of Node that are used here: types of Node are not a dependency of a package for browsers. */
interface NodeFiles {
  watch(
    path: string,
    options: { recursive: boolean; persistent: boolean },
    onEvent: (event: string, name: string | null) => void,
  ): { on(event: "error", onError: () => void): void };
  statSync(
    path: string,
    options: { throwIfNoEntry: false },
  ): { isFile(): boolean; isDirectory(): boolean; mtimeMs: number; size: number } | undefined;
  readdirSync(path: string): string[];
}

/** What is no source: packages, results of builds, and files that editors and tools keep beside it. */
const IGNORED =
  /(?:^|[\\/])(?:node_modules|\.[^\\/]+|next-env\.d\.ts)(?:[\\/]|$)|\.(?:log|tsbuildinfo|sw[a-p])$|~$/;
const IS_FOLDER_DEPTH = 12;

/** Follows the files of a project, for a development server that does not say which of them changed. */
export async function followFiles(
  root: string,
  isOutput: (path: string) => boolean,
  onSaved: (file: string) => void,
): Promise<void> {
  const files = (await import("node:fs" as string)) as NodeFiles;
  const known = new Map<string, string>();
  /** What changes when a file is written, or undefined if there is none. */
  const stateOf = (path: string): string | undefined => {
    const stat = files.statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? `${stat.mtimeMs} ${stat.size}` : undefined;
  };
  const isIgnored = (path: string): boolean => IGNORED.test(path) || isOutput(path);
  const addFolder = (path: string, depth = 0): void => {
    for (const name of readNames(files, `${root}/${path}`)) {
      const child = path === "" ? name : `${path}/${name}`;
      if (isIgnored(child)) continue;
      const state = stateOf(`${root}/${child}`);
      if (state !== undefined) known.set(child, state);
      else if (depth < IS_FOLDER_DEPTH) addFolder(child, depth + 1);
    }
  };
  const onEvent = (path: string): void => {
    if (isIgnored(path)) return;
    const state = stateOf(`${root}/${path}`);
    // A temporary file of an editor has come and gone; reading a file is no change of it.
    if (state === known.get(path)) return;
    if (state === undefined) known.delete(path);
    else known.set(path, state);
    onSaved(`${root}/${path}`);
  };
  const watched = new Set<string>();
  const watchFolder = (name: string): void => {
    if (watched.has(name) || isIgnored(name)) return;
    watched.add(name);
    const watcher = files.watch(`${root}/${name}`, { recursive: true, persistent: false }, (_event, path) => {
      if (path) onEvent(`${name}/${path.replaceAll("\\", "/")}`);
    });
    // The folder was removed; if it comes again, it is seen in its parent.
    watcher.on("error", () => watched.delete(name));
  };
  const isFolder = (name: string): boolean =>
    files.statSync(`${root}/${name}`, { throwIfNoEntry: false })?.isDirectory() ?? false;
  addFolder("");
  // The root itself not with what is below it, which includes every installed package.
  const top = files.watch(root, { recursive: false, persistent: false }, (_event, name) => {
    if (!name) return;
    if (isFolder(name)) watchFolder(name);
    else onEvent(name);
  });
  top.on("error", () => {});
  for (const name of readNames(files, root)) if (isFolder(name)) watchFolder(name);
}

function readNames(files: NodeFiles, path: string): string[] {
  try {
    return files.readdirSync(path);
  } catch {
    return [];
  }
}
