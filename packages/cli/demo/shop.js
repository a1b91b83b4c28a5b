/** A shop with a planted mistake: the coupon's address is wrong, and the answer is not checked before it is used. */
const goods = [
  { id: "tea", name: "Green tea", price: 4.5 },
  { id: "bread", name: "Rye bread", price: 3.2 },
  { id: "honey", name: "Linden honey", price: 7.9 },
];
/** @type {Map<string, number>} */
const basket = new Map();

const find = (id) => document.getElementById(id);

function drawShelf() {
  for (const { id, name, price } of goods) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.dataset.testid = `add-${id}`;
    button.textContent = `Add ${name}`;
    button.addEventListener("click", () => change(id, 1));
    item.append(`${name}, ${price.toFixed(2)} €`, button);
    find("shelf").append(item);
  }
}

function change(id, by) {
  const amount = (basket.get(id) ?? 0) + by;
  if (amount > 0) basket.set(id, amount);
  else basket.delete(id);
  console.info(`basket: ${id} ${amount}`);
  drawBasket();
}

function drawBasket() {
  const lines = goods.filter(({ id }) => basket.has(id));
  find("lines").replaceChildren(
    ...lines.map(({ id, name }) => {
      const item = document.createElement("li");
      const less = document.createElement("button");
      less.textContent = "−";
      less.ariaLabel = `One ${name} less`;
      less.addEventListener("click", () => change(id, -1));
      item.append(`${basket.get(id)} × ${name}`, less);
      return item;
    }),
  );
  const total = lines.reduce((sum, { id, price }) => sum + price * basket.get(id), 0);
  find("total").textContent = total.toFixed(2);
  window.DebugBridge?.bridge?.sendCustomState("basket", { lines: Object.fromEntries(basket), total });
}

find("coupon").addEventListener("submit", async (event) => {
  event.preventDefault();
  const code = new FormData(event.target).get("code");
  const response = await fetch(`/demo/api/coupons/${encodeURIComponent(code)}`);
  const coupon = await response.json();
  find("message").textContent = `${coupon.discount.percent} % off`;
});

find("login").addEventListener("submit", (event) => {
  event.preventDefault();
  find("message").textContent = `Welcome, ${new FormData(event.target).get("email")}`;
});

drawShelf();
drawBasket();
