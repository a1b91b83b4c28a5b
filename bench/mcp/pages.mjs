/** Pages that agents meet, served on a free port. */
import { createServer } from "node:http";

const rows = Array.from(
  { length: 100 },
  (_, i) =>
    `<tr><td><input type="checkbox" aria-label="Select order ${i}"></td><td>Order ${i}</td><td>Customer ${i}</td>
     <td>${i * 7}.50 €</td><td><button>Edit</button> <button>Delete</button></td></tr>`,
).join("");
const article = Array.from(
  { length: 12 },
  (_, i) =>
    `<h2>Part ${i + 1}</h2><p>The harbour was quiet in the morning, and <a href="/ship/${i}">ship ${i}</a> had left before anybody
     could ask where it went. Read <a href="/log/${i}">the log</a> for the rest.</p>`,
).join("");

export const PAGES = {
  small: `<h1>Orders</h1><form onsubmit="return false"><label>Name <input id="name"></label>
    <button id="add" type="button">Add order</button></form><p id="count">0 orders</p><ul id="list"></ul>
    <script>let n = 0; add.onclick = () => { count.textContent = ++n + " orders"; if (list.children.length > 9) list.innerHTML = "";
    list.insertAdjacentHTML("beforeend", "<li>Order " + n + " <button>Remove</button></li>"); };</script>`,
  table: `<main><h1>Orders</h1><input placeholder="Search"><button>Add</button><table><thead><tr><th></th><th>Order</th><th>Customer</th>
    <th>Price</th><th></th></tr></thead><tbody>${rows}</tbody></table></main>`,
  form: `<h1>Sign up</h1><form><label>First name <input required></label><label>Last name <input></label><label>E-mail <input type="email"></label>
    <label>Country <select><option>Norway</option><option>Peru</option><option>Japan</option></select></label>
    <label><input type="checkbox"> I agree to <a href="/terms">the terms</a></label>
    <fieldset><legend>Size</legend><label><input type="radio" name="s"> Small</label><label><input type="radio" name="s" checked> Large</label></fieldset>
    <button>Create account</button></form>`,
  article: `<header><nav><a href="/">Home</a> <a href="/news">News</a> <a href="/about">About</a></nav></header><main><h1>The harbour</h1>${article}</main>`,
  dialog: `<h1>Invoices</h1><button>New</button><div role="dialog" aria-labelledby="t"><h2 id="t">Delete account</h2><p>This removes 42 invoices.</p>
    <label>Type DELETE <input></label><button>Delete</button><button>Cancel</button></div>`,
};

/** A list of so many elements, with a button that changes one text and a button that adds or removes a row. */
function sizedPage(elements) {
  const items = Array.from(
    { length: Math.round(elements / 3) },
    (_, i) => `<li><span>Order ${i}</span> <button>Open ${i}</button></li>`,
  );
  return `<main><h1>Orders</h1><p>Total: <b id="total">0</b></p><button id="add">Add</button> <button id="row">Row</button>
    <ul id="list">${items.join("")}</ul></main><script>
    const count = () => { total.textContent = Number(total.textContent) + 1; };
    add.onclick = count;
    row.onclick = () => { count(); const first = list.firstElementChild;
      if (first.className) first.remove();
      else list.insertAdjacentHTML("afterbegin", "<li class=new><span>New order</span> <button>Open it</button></li>"); };</script>`;
}

/** A table of a thousand rows, each with the same button. */
const thousand = () =>
  `<h1>Orders</h1><table><thead><tr><th>Order</th><th>Customer</th><th>Price</th><th></th></tr></thead><tbody>${Array.from(
    { length: 1_000 },
    (_, i) =>
      `<tr><td>Order ${i + 1}</td><td>Customer ${(i * 7) % 97}</td><td>${i * 3}.50 €</td><td><button>Delete</button></td></tr>`,
  ).join("")}</tbody></table>`;

/** The page of a name: one of the samples, `thousand`, or `elements-10000`. */
function pageOf(name) {
  if (name === "thousand") return thousand();
  const [, elements] = /^elements-(\d{1,6})$/.exec(name) ?? [];
  if (elements !== undefined) return sizedPage(Number(elements));
  return Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
}

/** Serves the pages by their names. */
export async function servePages() {
  const server = createServer((request, response) => {
    const name = (request.url ?? "/").slice(1);
    const page = pageOf(name);
    if (page === undefined) return response.writeHead(404).end();
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><html lang="en"><title>${name}</title>${page}</html>`);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: (name) => `http://127.0.0.1:${server.address().port}/${name}`, close };
}
