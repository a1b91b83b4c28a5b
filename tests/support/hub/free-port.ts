import { createServer } from "node:net";

/** Systems give ports above these to outgoing connections, which could take one before it is used. */
const [FIRST, LAST] = [10_000, 30_000];
const given = new Set<number>();

/** A port that nobody listens on, for a program that cannot choose one itself. No port is given twice. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
