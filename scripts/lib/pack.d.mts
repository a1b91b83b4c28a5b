export function packAll(folder: string): Promise<{ name: string; file: string; files: string[] }[]>;
export function installInto(
  folder: string,
  tarballs: readonly string[],
): Promise<{ packages: string[]; bytes: number }>;
