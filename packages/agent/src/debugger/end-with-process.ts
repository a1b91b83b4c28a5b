const endings = new Set<() => void>();

const endAll = (): void => {
  for (const end of [...endings]) end();
};

/**
 * Calls back when the process ends by itself, unless the result is called before. However many agents a process has, it
 * has one listener: Node takes more than ten for a leak.
 */
export function endWithProcess(end: () => void): () => void {
  if (endings.size === 0) process.on("exit", endAll);
  endings.add(end);
  return () => {
    endings.delete(end);
    if (endings.size === 0) process.off("exit", endAll);
  };
}
