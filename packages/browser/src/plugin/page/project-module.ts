interface NodeModule {
  createRequire(from: string): ((name: string) => unknown) & { resolve(name: string): string };
}

/**
 * Loads a package that the project itself uses, so that its version is the one that compiles the app. `through` is a package of the
 * project that depends on it.
 */
export async function projectModule<Module>(
  root: string,
  name: string,
  through?: string,
): Promise<Module | undefined> {
  try {
    const { createRequire } = (await import("node:module" as string)) as NodeModule;
    const ofProject = createRequire(`${root}/package.json`);
    const from = through === undefined ? ofProject : createRequire(ofProject.resolve(through));
    return from(name) as Module;
  } catch {
    return undefined;
  }
}
