import type { ReproduceCase } from "../case.js";

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Bugs that need answers of a server, or their order. */
export const WITH_REQUESTS: readonly ReproduceCase[] = [
  {
    name: "race of two searches",
    minimum: 2,
    html: `<label>Search <input id="q"></label><ul id="results"></ul>`,
    script: `
const field = document.querySelector("#q");
field.addEventListener("change", async () => {
  const asked = field.value;
  const answer = await fetch("/api/search?q=" + asked).then((response) => response.json());
  if (FIXED && field.value !== asked) return;
  document.querySelector("#results").innerHTML = answer.results.map((each) => "<li>" + each + "</li>").join("");
  if (!answer.results.every((each) => each.startsWith(field.value))) throw new Error("results do not match the search");
});`,
    async api(path) {
      const q = new URL(path, "http://x").searchParams.get("q") ?? "";
      if (q === "a") await wait(900);
      return { json: { results: [`${q}1`, `${q}2`] } };
    },
    async play(person) {
      await person.noise(20);
      await person.fill("#q", "ca");
      await person.noise(15);
      await person.fill("#q", "a");
      await person.fill("#q", "ab");
      await person.noise(6);
      await person.idle(1_200);
    },
  },
  {
    name: "answer of a failed request",
    minimum: 2,
    html: `<label>Quantity <input id="quantity" value="1"></label><button id="order" type="button">Order</button><p id="out"></p>`,
    script: `
document.querySelector("#order").addEventListener("click", async () => {
  const quantity = Number(document.querySelector("#quantity").value);
  const response = await fetch("/api/orders", { method: "POST", body: JSON.stringify({ quantity }) });
  const answer = await response.json();
  if (FIXED && !response.ok) { document.querySelector("#out").textContent = answer.error; return; }
  document.querySelector("#out").textContent = "Order " + answer.order.id.toFixed();
});`,
    api(_path, body) {
      const { quantity } = JSON.parse(body || "{}") as { quantity: number };
      return quantity > 5
        ? { status: 500, json: { error: "too many" } }
        : { json: { order: { id: quantity } } };
    },
    async play(person) {
      await person.noise(12);
      await person.fill("#quantity", "2");
      await person.click("#order");
      await person.sees("Order 2");
      await person.noise(20);
      await person.click("#order");
      await person.fill("#quantity", "9");
      await person.noise(8);
      await person.click("#order");
      await person.noise(3);
      await person.idle(200);
    },
  },
  {
    name: "null after a change of route",
    minimum: 2,
    html: `<nav><a href="#home">Home</a> <a href="#profile">Profile</a> <a href="#orders">Orders</a></nav><button id="out" type="button">Sign out</button><div id="view"></div>`,
    script: `
let user;
const view = document.querySelector("#view");
const show = () => {
  const route = location.hash.slice(1) || "home";
  if (route === "profile") view.textContent = FIXED && !user ? "Please sign in" : "Profile of " + user.name;
  else view.textContent = route;
};
document.querySelector("#out").addEventListener("click", () => { user = null; });
addEventListener("hashchange", show);
fetch("/api/user").then((response) => response.json()).then((answer) => { user = answer; show(); });`,
    api: () => ({ json: { name: "Ada" } }),
    async play(person) {
      await person.sees("home");
      await person.noise(25);
      await person.click('a[href="#profile"]');
      await person.click('a[href="#orders"]');
      await person.noise(25);
      await person.click("#out");
      await person.click('a[href="#home"]');
      await person.noise(20);
      await person.click('a[href="#orders"]');
      await person.noise(5);
      await person.click('a[href="#profile"]');
      await person.idle(100);
    },
  },
];
