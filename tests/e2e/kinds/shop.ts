import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Shop {
  url(path: string): string;
  close(): Promise<void>;
}

/** A page that is the same for every kind of session; with `?app` the SDK is in it. */
export async function serveShop(hub: string): Promise<Shop> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://shop");
    if (pathname.startsWith("/api")) {
      const status = pathname === "/api/orders" ? 201 : pathname === "/api/missing" ? 404 : 200;
      response.writeHead(status, { "content-type": "application/json", "content-length": 2 });
      response.end("{}");
      return;
    }
    const sdk = searchParams.has("app")
      ? `<script src="${hub}/sdk.js" data-session="shop" data-eval="true" data-mark="false"></script>`
      : "";
    if (pathname === "/export") {
      response.writeHead(200, { "content-type": "text/csv", "content-disposition": "attachment" });
      response.end("a,b\n1,2\n");
      return;
    }
    if (pathname === "/framed" || pathname === "/pay") {
      // Another site, though it is the same server.
      const frame = `http://localhost:${(server.address() as AddressInfo).port}/pay?${searchParams.get("pay") ?? ""}`;
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(pathname === "/pay" ? pay(searchParams.has("broken")) : framed(sdk, frame));
      return;
    }
    if (pathname !== "/") {
      response.writeHead(204);
      response.end();
      return;
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(page(sdk));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: (path) => base + path,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A page with a frame of another site in it. */
const framed = (sdk: string, frame: string): string =>
  `<!doctype html><html lang="en"><head><title>Framed</title><link rel="icon" href="data:,">${sdk}</head><body>
  <h1>Checkout</h1><iframe src="${frame}" style="width:500px;height:300px"></iframe><p id="state">open</p>
  <button onclick="state.textContent = confirm('Empty the cart?') ? 'emptied' : 'kept'">Empty</button>
  <button onclick="window.open('/pay?popup')">Popup</button> <a href="/pay" target="_blank">New tab</a>
  <a href="/export" download="orders.csv">Export</a>
  <script>onmessage = () => { state.innerHTML = "<button>Receipt</button>" }</script></body></html>`;

const pay = (broken: boolean): string =>
  `<!doctype html><html lang="en"><head><title>Pay</title><link rel="icon" href="data:,"></head><body>
  <h2>Card</h2><label>Number <input id="n"></label>
  <button onclick="console.info('paid', n.value); fetch('/api/orders', { method: 'POST' }); parent.postMessage(1, '*')">Pay</button>
  <script>${broken ? "missing.call()" : ""}</script></body></html>`;

const page = (
  sdk: string,
): string => `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:,">${sdk}</head><body>
  <h1>Shop</h1>
  <nav aria-label="Main"><a href="#home">Home</a> <a href="#help">Help</a></nav>
  <main>
    <button onclick="console.info('bought', { sku: 'a1' }); fetch('/api/orders', { method: 'POST' }).then((r) => r.json()); cart.innerHTML = '<a href=#cart>Cart (1)</a>'">Buy</button>
    <button disabled>Sold out</button>
    <label>Name <input></label>
    <label>Size <select><option>S</option><option>L</option></select></label>
    <label><input type="checkbox"> Gift</label>
    <input type="password" aria-label="Code" value="s3cret-code">
    <button onclick="null; throw new TypeError('broken')">Break</button>
    <button onclick="console.log('trusted', event.isTrusted)">Trust</button>
    <button onclick="talk()">Talk</button>
    <ul>${Array.from({ length: 30 }, (_, i) => `<li>Row ${i} <button>Remove</button></li>`).join("")}</ul>
  </main>
  <p id="cart"></p>
  <div style="height: 3000px"></div>
  <script>
    async function talk() {
      console.log("plain", 1, null, undefined, true);
      console.warn({ user: "ann", token: "t0ken", list: [1, [2, { deep: true }]] });
      console.error(new RangeError("logged").message);
      console.log(new Map([["a", 1]]), new Set([1]), new Date(0), /x/g, Symbol("s"), 10n);
      console.debug("code is", document.querySelector("[type=password]").value);
      await fetch("/api/data?token=abc").then((r) => r.json());
      await fetch("/api/missing").then((r) => r.json());
      const request = new XMLHttpRequest();
      request.open("GET", "/api/xhr");
      await new Promise((resolve) => { request.onload = resolve; request.send(); });
      Promise.reject(new Error("unhandled"));
      await new Promise((resolve) => setTimeout(resolve, 20));
      console.log("all done");
    }
  </script></body></html>`;
