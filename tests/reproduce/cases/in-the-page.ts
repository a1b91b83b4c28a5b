import type { ReproduceCase } from "../case.js";

/** Bugs of the page's own state. */
export const IN_THE_PAGE: readonly ReproduceCase[] = [
  {
    name: "wrong total after remove",
    minimum: 3,
    shows: "1 item, total 30",
    html: `<div class="shop"><button type="button" data-price="10" data-name="Apples">Add Apples</button><button type="button" data-price="20" data-name="Pears">Add Pears</button></div><ul id="cart"></ul><p id="total">0 items, total 0</p>`,
    script: `
let cart = []; let sum = 0;
const draw = () => {
  document.querySelector("#cart").innerHTML = cart.map(({ name }, i) => "<li>" + name + ' <button type="button" data-i="' + i + '">Remove</button></li>').join("");
  if (FIXED) sum = cart.reduce((all, { price }) => all + price, 0);
  document.querySelector("#total").textContent = cart.length + (cart.length === 1 ? " item" : " items") + ", total " + sum;
};
document.querySelector(".shop").addEventListener("click", ({ target }) => {
  if (!target.dataset.name) return;
  cart.push({ name: target.dataset.name, price: Number(target.dataset.price) });
  sum += Number(target.dataset.price);
  draw();
});
document.querySelector("#cart").addEventListener("click", ({ target }) => {
  if (target.dataset.i === undefined) return;
  cart.splice(Number(target.dataset.i), 1);
  draw();
});`,
    async play(person) {
      await person.noise(15);
      await person.click('[data-name="Apples"]');
      await person.noise(10);
      await person.click('[data-name="Pears"]');
      await person.noise(10);
      await person.click("#cart li:nth-child(1) button");
      await person.noise(4);
    },
  },
  {
    name: "stale closure in a timer",
    minimum: 2,
    html: `<button id="auto" type="button">Autosave</button><button id="add" type="button">Add row</button><p id="rows">0 rows</p>`,
    script: `
let rows = [];
const check = (saved) => { if (saved !== rows.length) throw new Error("autosave lost rows"); };
document.querySelector("#add").addEventListener("click", () => {
  rows = [...rows, {}];
  document.querySelector("#rows").textContent = rows.length + " rows";
});
document.querySelector("#auto").addEventListener("click", () => {
  const seen = rows;
  setTimeout(() => check(FIXED ? rows.length : seen.length), 700);
});`,
    async play(person) {
      await person.noise(10);
      await person.click("#add");
      await person.click("#auto");
      await person.idle(900);
      await person.noise(30);
      await person.click("#add");
      await person.noise(4);
      await person.click("#auto");
      await person.click("#add");
      await person.idle(900);
      await person.noise(2);
    },
  },
  {
    name: "undo below the first state",
    minimum: 3,
    html: `<button id="draw" type="button">Draw</button><button id="undo" type="button">Undo</button><p id="shape">0 lines</p>`,
    script: `
const history = [{ lines: 0 }]; let at = 0; let drawn = false;
const show = () => { document.querySelector("#shape").textContent = history[at].lines + " lines"; };
document.querySelector("#draw").addEventListener("click", () => {
  drawn = true;
  history.length = at + 1;
  history.push({ lines: history[at].lines + 1 });
  at++;
  show();
});
document.querySelector("#undo").addEventListener("click", () => {
  if (!drawn || (FIXED && at === 0)) return;
  at--;
  show();
});`,
    async play(person) {
      await person.noise(30);
      await person.click("#undo");
      await person.noise(30);
      for (let i = 0; i < 4; i++) await person.click("#draw");
      await person.noise(20);
      for (let i = 0; i < 3; i++) await person.click("#undo");
      await person.noise(10);
      await person.click("#undo");
      await person.noise(5);
      await person.click("#undo");
      await person.noise(3);
    },
  },
  {
    name: "two options that exclude each other",
    minimum: 3,
    html: `<form id="form"><label>Country <select id="country"><option>Austria</option><option>Norway</option></select></label><label><input type="checkbox" id="gift"> Gift</label><label>Name <input id="name"></label><button>Send</button></form><p id="out"></p>`,
    script: `
const wraps = { Austria: { gift: 2 } };
document.querySelector("#form").addEventListener("submit", (event) => {
  event.preventDefault();
  const country = document.querySelector("#country").value;
  const gift = document.querySelector("#gift").checked;
  const price = !gift ? 0 : FIXED ? (wraps[country]?.gift ?? 5) : wraps[country].gift;
  document.querySelector("#out").textContent = "Sent for " + price;
});`,
    async play(person) {
      await person.fill("#name", "Ada");
      await person.noise(40);
      await person.click("#gift");
      await person.click("#form button");
      await person.noise(40);
      await person.select("#country", "Norway");
      await person.noise(40);
      await person.fill("#name", "Grace");
      await person.click("#form button");
      await person.noise(2);
    },
  },
  {
    name: "filter on the last page",
    minimum: 3,
    html: `<label>Filter <input id="filter"></label><button id="next" type="button">Next page</button><button id="previous" type="button">Previous page</button><p id="page"></p>`,
    script: `
const all = Array.from({ length: 30 }, (_, i) => ({ name: (i < 12 ? "box " : "jar ") + i }));
let page = 0;
const draw = () => {
  const word = document.querySelector("#filter").value;
  const rows = all.filter(({ name }) => name.includes(word));
  if (FIXED) page = Math.min(page, Math.max(0, Math.ceil(rows.length / 10) - 1));
  document.querySelector("#page").textContent = "from " + rows[page * 10].name;
};
document.querySelector("#filter").addEventListener("change", draw);
document.querySelector("#next").addEventListener("click", () => { page = Math.min(page + 1, 2); draw(); });
document.querySelector("#previous").addEventListener("click", () => { page = Math.max(page - 1, 0); draw(); });
draw();`,
    async play(person) {
      await person.noise(20);
      await person.click("#next");
      await person.click("#previous");
      await person.noise(20);
      await person.click("#next");
      await person.noise(10);
      await person.click("#next");
      await person.click("#previous");
      await person.click("#next");
      await person.noise(20);
      await person.fill("#filter", "box");
      await person.noise(3);
    },
  },
  {
    name: "key after a dialog was closed",
    minimum: 3,
    html: `<button id="open" type="button">Open dialog</button><div id="place"></div>`,
    script: `
let dialog;
document.querySelector("#open").addEventListener("click", () => {
  if (dialog?.isConnected) return;
  dialog = document.createElement("div");
  dialog.setAttribute("role", "dialog");
  dialog.textContent = "Hello";
  document.querySelector("#place").append(dialog);
});
addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !dialog || (FIXED && !dialog.isConnected)) return;
  document.querySelector("#place").removeChild(dialog);
});`,
    async play(person) {
      await person.noise(30);
      await person.press("Escape");
      await person.noise(30);
      await person.click("#open");
      await person.noise(30);
      await person.press("Escape");
      await person.noise(60);
      await person.press("Escape");
      await person.noise(2);
    },
  },
  {
    name: "unlucky random number",
    minimum: "known afterwards",
    html: `<button id="roll" type="button">Roll</button><p id="dice"></p>`,
    script: `
const prizes = ["car", "pen", "cup"];
let rolls = 0;
document.querySelector("#roll").addEventListener("click", () => {
  const number = Math.floor(Math.random() * (FIXED ? 3 : 4));
  document.querySelector("#dice").textContent = ++rolls + ": " + prizes[number].toUpperCase();
});`,
    async play(person) {
      for (let i = 0; i < 40; i++) {
        await person.noise(1);
        await person.click("#roll");
        const rolls = await person.page.$eval("#dice", (dice) => Number.parseInt(dice.textContent ?? "", 10));
        // The number that fails leaves the text as it was.
        if (rolls !== i + 1) {
          person.minimum = i + 1;
          break;
        }
      }
      await person.noise(30);
    },
  },
];
