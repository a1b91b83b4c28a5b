import { type FormEvent, useState } from "react";

export function Coupon() {
  const [code, setCode] = useState("");
  const [message, setMessage] = useState("");

  const apply = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const response = await fetch(`/api/coupons/${encodeURIComponent(code)}`);
    const coupon = await response.json();
    setMessage(response.ok ? `${coupon.discount.percent} % off` : coupon.error);
  };

  return (
    <form onSubmit={apply}>
      <label>
        Coupon <input value={code} onChange={(event) => setCode(event.target.value)} />
      </label>
      <button type="submit">Apply</button>
      <p role="status">{message}</p>
      <small>Without a coupon nothing changes.</small>
    </form>
  );
}
