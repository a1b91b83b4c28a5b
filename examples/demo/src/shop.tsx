import { useState } from "react";
import { Coupon } from "./coupon.tsx";

const GOODS = [
  { id: "tea", name: "Green tea", price: 4.5 },
  { id: "bread", name: "Rye bread", price: 3.2 },
  { id: "honey", name: "Linden honey", price: 7.9 },
];

export function Shop() {
  const [basket, setBasket] = useState<Readonly<Record<string, number>>>({});
  const add = (id: string): void => {
    console.info(`basket: one more ${id}`);
    setBasket((before) => ({ ...before, [id]: (before[id] ?? 0) + 1 }));
  };
  const total = GOODS.reduce((sum, { id, price }) => sum + price * (basket[id] ?? 0), 0);
  return (
    <main>
      <h1>Corner shop</h1>
      <ul>
        {GOODS.map(({ id, name, price }) => (
          <li key={id}>
            {name}, {price.toFixed(2)} €, {basket[id] ?? 0} in the basket
            <button type="button" onClick={() => add(id)}>
              Add {name}
            </button>
          </li>
        ))}
      </ul>
      <p>Total {total.toFixed(2)} €</p>
      <Coupon />
    </main>
  );
}
