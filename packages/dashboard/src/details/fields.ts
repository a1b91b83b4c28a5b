/** The data of a record comes from a page, an agent or a file: nothing about it is certain. */
export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
