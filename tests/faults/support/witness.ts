import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A server to which pages report what was done in them: what it received has happened, whatever became of the page. */
export interface Witness {
  readonly url: string;
  /** How often something was done. */
  times(what: string): number;
}

export async function startWitness(): Promise<Witness> {
  const received = new Map<string, number>();
  const server = createServer((request, response) => {
    const what = decodeURIComponent((request.url ?? "/").slice(1));
    received.set(what, (received.get(what) ?? 0) + 1);
    response.writeHead(200, { "access-control-allow-origin": "*" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    times: (what) => received.get(what) ?? 0,
  };
}
