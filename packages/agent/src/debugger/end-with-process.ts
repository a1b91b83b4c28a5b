const endings = new Set<() => void>();

const endAll = (): void => {
  for (const end of [...endings]) end();
};

/**
 * Calls back when the process exits, unless the returned function is called before. All agents of a process share one
 * listener, because Node warns about a leak from eleven listeners on.
 */
export function endWithProcess(end: () => void): () => void {
  if (endings.size === 0) process.on("exit", endAll);
  endings.add(end);
  return () => {
    endings.delete(end);
    if (endings.size === 0) process.off("exit", endAll);
  };
}
