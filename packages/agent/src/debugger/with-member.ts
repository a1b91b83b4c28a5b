/** A copy of a value with one member changed. */
export function withMember(value: unknown, path: readonly string[], member: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return member;
  if (Array.isArray(value) && /^\d{1,6}$/.test(key))
    return Object.assign([...value], { [key]: withMember(value[Number(key)], rest, member) });
  const object = typeof value === "object" && value !== null ? value : {};
  // Entries, not assignment: a key such as __proto__ becomes a member like any other.
  return Object.fromEntries([
    ...Object.entries(object).filter(([name]) => name !== key),
    [key, withMember((object as Record<string, unknown>)[key], rest, member)],
  ]);
}
