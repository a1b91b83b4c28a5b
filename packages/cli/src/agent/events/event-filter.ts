/** The types of `--types a,b`. Without the option, all types are shown. */
export function parseTypes(text: string): Set<string> {
  return new Set(
    text
      .split(",")
      .map((type) => type.trim())
      .filter((type) => type !== ""),
  );
}

/** Whether events of a type are wanted. */
export function isWanted(types: ReadonlySet<string> | undefined, type: string): boolean {
  return types === undefined || types.size === 0 || types.has(type);
}
