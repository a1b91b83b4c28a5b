export function citations(base?: string): Map<string, string[]>;
