/** Values of another program's JSON, read without trust. */
export type Json = Readonly<Record<string, unknown>>;

export function parseObject(text: string): Json | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

export const asString = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A count of tokens; anything else is none. */
export const asCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

const ID = /^[\w.:-]{1,200}$/;

/** An id of another program; undefined when it could not be stored as one. */
export const asId = (value: unknown): string | undefined =>
  typeof value === "string" && ID.test(value) ? value : undefined;

/** The texts of content blocks, as MCP and the providers write them. */
export function contentTexts(value: unknown): string {
  if (typeof value === "string") return value;
  return asArray(value)
    .map((block) => asString(asObject(block)?.text) ?? "")
    .filter((text) => text !== "")
    .join("\n");
}

/**
 * The pictures among content blocks, in base64: as MCP, Claude Code, and agents of the Agent Client Protocol write
 * them. Absent when there are none.
 */
export function imagesOf(content: unknown): { images?: string[] } {
  const images = asArray(content).flatMap((each) => {
    const outer = asObject(each);
    const block = outer?.type === "content" ? asObject(outer.content) : outer;
    if (block?.type !== "image") return [];
    return asString(block.data) ?? asString(asObject(block.source)?.data) ?? [];
  });
  return images.length === 0 ? {} : { images };
}

/** Leaves out what is undefined, so that optional fields are absent. */
export function defined<Value extends object>(
  value: Value,
): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}
