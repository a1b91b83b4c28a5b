export function packages(
  base?: string,
): { folder: string; dir: string; manifest: { name: string; version: string; [key: string]: unknown } }[];
export function filesBelow(dir: string, keep?: (path: string) => boolean): string[];
