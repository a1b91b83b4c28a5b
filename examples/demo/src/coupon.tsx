import { type FormEvent, useState } from "react";

/** The planted mistake: the answer is used without a check, and the shop knows only the coupon SPRING. */
export function Coupon() {
  const [code, setCode] = useState("");
  const [message, setMessage] = useState("");

  const apply = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const response = await fetch(`/api/coupons/${encodeURIComponent(code)}`);
    const coupon = await response.json();
    setMessage(`${coupon.discount.percent} % off`);
  };

  return (
    <form onSubmit={apply}>
      <label>
        Coupon <input value={code} onChange={(event) => setCode(event.target.value)} />
      </label>
      <button type="submit">Apply</button>
      <p role="status">{message}</p>
    </form>
  );
}
