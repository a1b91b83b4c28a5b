import { createServer } from "node:http";

/** A small web server whose pages try everything that clients of a browser do. */
export interface Site {
  /** The address of a page; another host name makes it another site. */
  url(path: string, host?: string): string;
  close(): Promise<void>;
}

const html = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;

const PAGES: Record<string, (site: (path: string, host?: string) => string) => string> = {
  "/": () =>
    html(
      "Home",
      `<h1>Home</h1>
      <form onsubmit="event.preventDefault(); out.textContent = 'Hello ' + who.value">
        <label for="who">Name</label> <input id="who" name="who" placeholder="Your name">
        <button id="greet">Greet</button>
      </form>
      <p id="out" role="status"></p>
      <button id="count" onclick="this.textContent = 'Clicked ' + ++n; console.log(this.textContent)">Count</button>
      <select id="colour" aria-label="Colour"><option value="r">Red</option><option value="g">Green</option></select>
      <label><input type="checkbox" id="agree"> Agree</label>
      <ul><li>One</li><li>Two</li><li>Three</li></ul>
      <a href="/second">Second page</a> <a href="/popup" target="_blank" rel="opener">Open popup</a>
      <a href="/file" download>Download</a>
      <script>let n = 0; window.ready = true;</script>`,
    ),
  "/second": () => html("Second", `<h1>Second</h1><a href="/">Back home</a>`),
  "/popup": () => html("Popup", `<h1>Popup</h1>`),
  "/frames": (url) =>
    html(
      "Frames",
      `<h1>Frames</h1><iframe name="near" src="/inner"></iframe><iframe name="far" src="${url("/inner", "localhost")}"></iframe>`,
    ),
  "/nested": (url) =>
    html("Nested", `<h1>Nested</h1><iframe name="outer" src="${url("/holder", "localhost")}"></iframe>`),
  "/holder": (url) => html("Holder", `<p>Holder</p><iframe name="deep" src="${url("/inner")}"></iframe>`),
  "/inner": () =>
    html(
      "Inner",
      `<p id="text">Inside <span id="host"></span></p><input id="field"><button id="press" onclick="this.textContent='Pressed'">Press</button><script>host.textContent = location.hostname</script>`,
    ),
  "/dialogs": () =>
    html(
      "Dialogs",
      `<h1>Dialogs</h1><button id="ask" onclick="out.textContent = prompt('Name?', 'nobody')">Ask</button><p id="out"></p>`,
    ),
  "/upload": () =>
    html(
      "Upload",
      `<input type="file" id="file" multiple onchange="Promise.all([...this.files].map(async f => f.name + ':' + await f.text())).then(t => out.textContent = t.join(','))"><p id="out"></p>`,
    ),
  "/workers": () =>
    html(
      "Workers",
      `<script>const w = new Worker("/worker.js"); w.onmessage = (e) => out.textContent = e.data;</script><p id="out"></p>`,
    ),
  "/slow-page": () => html("Slow", `<h1>Slow</h1><img src="/slow.png">`),
  "/blank": () => html("Blank", ""),
};

export async function startSite(): Promise<Site> {
  const url = (path: string, host = "127.0.0.1"): string =>
    `http://${host}:${(server.address() as { port: number }).port}${path}`;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
    const page = PAGES[pathname];
    response.setHeader("cache-control", "no-store");
    if (page) {
      response.setHeader("content-type", "text/html; charset=utf-8");
      if (pathname === "/" && searchParams.has("cookie"))
        response.setHeader("set-cookie", "seen=yes; Path=/");
      response.end(page(url));
    } else if (pathname === "/worker.js") {
      response.setHeader("content-type", "text/javascript");
      response.end(
        "self.answer = 42; postMessage('from worker'); onmessage = (e) => postMessage(e.data * 2);",
      );
    } else if (pathname === "/json") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ query: Object.fromEntries(searchParams), headers: request.headers }));
    } else if (pathname === "/echo") {
      let body = "";
      request.on("data", (data) => {
        body += data;
      });
      request.on("end", () => response.end(`${request.method} ${body}`));
    } else if (pathname === "/redirect") {
      response.writeHead(302, { location: "/second" }).end();
    } else if (pathname === "/file") {
      response.setHeader("content-disposition", 'attachment; filename="report.txt"');
      response.end("the report");
    } else if (pathname === "/slow.png") {
      setTimeout(() => response.writeHead(404).end(), 400);
    } else if (pathname === "/never") {
      // Any request waits until the server is closed.
    } else if (pathname === "/auth") {
      if (request.headers.authorization) response.end("welcome");
      else response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end("who are you");
    } else {
      response.writeHead(404, { "content-type": "text/html" }).end(html("Not found", "<h1>Not found</h1>"));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
