import { describe, expect, it } from "vitest";
import { Lease } from "./lease.js";

describe("a lease", () => {
  it("keeps others from acting until it ends, is released, or is renewed by its holder", () => {
    const lease = new Lease();
    expect(lease.refusal("anyone", 0)).toBeUndefined();
    lease.acquire("a", "Ann", 0, 1_000);
    expect(lease.refusal("b", 999)?.message).toContain("Ann has the right to act");
    expect(() => lease.acquire("b", "Bob", 999)).toThrow("Ann");
    lease.acquire("a", "Ann", 900, 1_000);
    expect(lease.refusal("b", 1_500)?.code).toBe("lease_held");
    expect(lease.refusal("b", 1_900)).toBeUndefined();
    lease.acquire("b", "Bob", 2_000);
    lease.release("a");
    expect(lease.current(2_001)?.owner).toBe("Bob");
    lease.release("b");
    expect(lease.current(2_002)).toBeUndefined();
  });
});
