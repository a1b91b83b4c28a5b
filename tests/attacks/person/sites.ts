import { createServer, type IncomingMessage } from "node:http";

/** One request that a browser sent. */
interface Seen {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly cookie: string;
}

/** Sites where the person is logged in: a shop, a bank and a mailbox. */
export interface Sites {
  readonly seen: Seen[];
  /** Documents that were requested from a host, without what browsers ask for by themselves. */
  requests(host: string): string[];
  url(host: string, path?: string): string;
  close(): Promise<void>;
}

/** Flags with which a browser finds the sites. */
export const SITE_FLAGS = ["--host-resolver-rules=MAP *.test 127.0.0.1"];

const page = (host: string, path: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${host} ${path}</title></head>
  <body><h1>${host}</h1><p id="secret">secret of ${host}</p><input type="file" id="file">
  <a id="on" href="/next">Next</a></body></html>`;

/** A service worker that takes over at once and answers navigations below `/sent` by sending them elsewhere. */
const serviceWorker = (to: string): string => `
  addEventListener("install", () => skipWaiting());
  addEventListener("activate", (event) => event.waitUntil(clients.claim()));
  addEventListener("fetch", (event) => {
    if (new URL(event.request.url).pathname.startsWith("/sent"))
      event.respondWith(Response.redirect(${JSON.stringify(to)}));
  });`;

export async function startSites(): Promise<Sites> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const { host, path, query } = read(request);
    seen.push({ host, method: request.method ?? "", path, cookie: request.headers.cookie ?? "" });
    if (path === "/redirect") response.writeHead(302, { location: query.get("to") ?? "/" }).end();
    else if (path === "/worker.js") {
      response.setHeader("content-type", "text/javascript");
      response.end(serviceWorker(query.get("to") ?? "/"));
    } else if (path === "/frames") {
      response.setHeader("content-type", "text/html");
      response.end(page(host, path).replace("</body>", `<iframe src="${query.get("src")}"></iframe></body>`));
    } else {
      response.setHeader("set-cookie", `login=${host}; HttpOnly; Path=/; Max-Age=9999`);
      response.setHeader("content-type", "text/html");
      response.end(page(host, path));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    seen,
    requests: (host) =>
      seen.filter((each) => each.host === host && each.path !== "/favicon.ico").map(({ path }) => path),
    url: (host, path = "/") => `http://${host}:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function read(request: IncomingMessage): { host: string; path: string; query: URLSearchParams } {
  const host = (request.headers.host ?? "").split(":")[0] ?? "";
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
  return { host, path: pathname, query: searchParams };
}
