/** An app that an agent never saw: a back office with a failing request, a form, a dead button, many rows and a broken route. */
import { createServer } from "node:http";

const FRAME = (title, body, script = "") => `<!doctype html><html lang="en"><title>${title}</title>
  <header><a href="/">Harbour Office</a> <nav><a href="/checkout">Checkout</a> <a href="/signup">Sign up</a> <a href="/report">Report</a>
  <a href="/orders">Orders</a> <a href="/app">Deliveries</a></nav> <label>Search <input type="search"></label>
  <button>Help</button> <button>Notifications (3)</button></header><main><h1>${title}</h1>${body}</main>
  <footer><a href="/imprint">Imprint</a> <a href="/terms">Terms</a> <a href="/privacy">Privacy</a></footer>${script}</html>`;

const goods = Array.from(
  { length: 24 },
  (
    _,
    i,
  ) => `<li>Article ${i + 1}, ${(i * 7) % 40}.90 € <label>Amount <input type="number" value="1" aria-label="Amount of article ${i + 1}"></label>
  <button>Remove article ${i + 1}</button></li>`,
).join("");

const PAGES = {
  "/checkout": FRAME(
    "Checkout",
    `<ul>${goods}</ul><p>Delivered to Quay 4, 9999 Harbour</p><button id="place">Place order</button><p id="said" role="status"></p>`,
    `<script>for (const part of ["user", "basket", "prices", "coupons", "stock"]) fetch("/api/" + part);
    place.onclick = async () => { const answer = await fetch("/api/orders", { method: "POST", body: "{}" });
      said.textContent = answer.ok ? "Thank you" : "Something went wrong"; };</script>`,
  ),
  "/signup": FRAME(
    "Sign up",
    `<form id="form"><label>First name <input name="first"></label><label>Last name <input name="last"></label>
    <label>E-mail <input name="mail" type="email"></label><label>Phone <input name="phone" type="tel"></label>
    <label>Street <input name="street"></label><label>Postcode <input name="code"></label>
    <label>Country <select name="country"><option>Norway</option><option>Peru</option><option>Japan</option></select></label>
    <label><input type="checkbox" name="terms"> I agree to the terms</label><button>Create account</button></form><p id="said" role="status"></p>`,
    `<script>form.onsubmit = (event) => { event.preventDefault(); const data = Object.fromEntries(new FormData(form));
      said.textContent = "Account " + [data.first, data.last, data.mail, data.phone, data.street, data.code, data.country, data.terms].join("/"); };</script>`,
  ),
  "/report": FRAME(
    "Report",
    `<p>Figures of the month</p><table>${Array.from({ length: 20 }, (_, i) => `<tr><td>Day ${i + 1}</td><td>${i * 13} tons</td></tr>`).join("")}</table>
    <button id="save">Save report</button>`,
    '<script src="/report.js"></script>',
  ),
  "/orders": FRAME(
    "Orders",
    `<table><thead><tr><th>Order</th><th>Customer</th><th>Price</th><th></th></tr></thead><tbody>${Array.from(
      { length: 1_000 },
      (_, i) =>
        `<tr><td>Order ${i + 1}</td><td>Customer ${(i * 7) % 97}</td><td>${i * 3}.50 €</td><td><button>Delete</button></td></tr>`,
    ).join("")}</tbody></table><p id="said" role="status"></p>`,
    `<script>document.querySelector("tbody").onclick = ({ target }) => { if (target.tagName !== "BUTTON") return;
      const row = target.closest("tr"); said.textContent = row.cells[0].textContent + " deleted"; row.remove(); };</script>`,
  ),
  "/app": FRAME(
    "Deliveries",
    `<div id="view"><ul>${Array.from({ length: 30 }, (_, i) => `<li>Delivery ${i + 1} <button data-id="${i + 1}">Open delivery ${i + 1}</button></li>`).join("")}</ul></div>`,
    '<script src="/deliveries.js"></script>',
  ),
};

const SCRIPTS = {
  "/report.js": `// What the buttons of the report do.
const settings = {};
document.getElementById("save").onclick = () => {
  const name = settings.printer.name;
  console.info("saved to " + name);
};
`,
  "/deliveries.js": `// Shows one delivery.
const view = document.getElementById("view");
view.onclick = async ({ target }) => {
  const { id } = target.dataset;
  if (!id) return;
  history.pushState({}, "", "/app/deliveries/" + id);
  view.innerHTML = "<h2>Delivery " + id + "</h2><button id=track>Track</button>";
  const ship = await (await fetch("/api/ships/" + id)).json();
  document.getElementById("track").onclick = () => {
    view.insertAdjacentHTML("beforeend", "<p>" + ship.position.latitude + "</p>");
  };
};
`,
};

export async function serveOffice() {
  const server = createServer(({ url = "/", method }, response) => {
    const { pathname } = new URL(url, "http://office");
    const send = (status, type, body) => response.writeHead(status, { "content-type": type }).end(body);
    if (method === "POST") send(422, "application/json", '{"error":"postcode 9999 is unknown"}');
    else if (pathname.startsWith("/api/")) send(200, "application/json", '{"position":null}');
    else if (SCRIPTS[pathname]) send(200, "text/javascript", SCRIPTS[pathname]);
    else if (PAGES[pathname]) send(200, "text/html; charset=utf-8", PAGES[pathname]);
    else send(404, "text/plain", "not found");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: (path) => `http://127.0.0.1:${server.address().port}${path}`, close };
}
