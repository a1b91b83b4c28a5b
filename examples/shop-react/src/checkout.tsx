import { type FormEvent, useState } from "react";
import { useCart } from "./cart.js";

export function Checkout() {
  const { lines, empty } = useCart();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [delivery, setDelivery] = useState("standard");
  const [gift, setGift] = useState(false);
  const [message, setMessage] = useState("");

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const order = { name, delivery, gift, lines: Object.entries(lines).map(([sku, qty]) => ({ sku, qty })) };
    const response = await fetch("/api/orders", { method: "POST", body: JSON.stringify(order) });
    console.log("order sent", response.status);
    setMessage(`Thank you, ${name}!`);
    empty();
  };

  return (
    <form onSubmit={submit}>
      <h1>Checkout</h1>
      <label>
        Name <input value={name} onChange={(event) => setName(event.target.value)} required />
      </label>
      <label>
        Card password{" "}
        <input type="password" value={password} onChange={(event) => setPassword(event.target.value)} />
      </label>
      <label>
        Delivery{" "}
        <select value={delivery} onChange={(event) => setDelivery(event.target.value)}>
          <option value="standard">Standard</option>
          <option value="express">Express</option>
        </select>
      </label>
      <label>
        <input type="checkbox" checked={gift} onChange={(event) => setGift(event.target.checked)} /> Gift
      </label>
      <button type="submit">Place order</button>
      <p role="status">{message}</p>
    </form>
  );
}
