import { describe, expect, test } from "vitest";
import { Lease } from "./lease.js";
import { classOfCommand, Policy, type PolicySession } from "./policy.js";

const act = { client: "a", kind: "act", method: "click" } as const;
const READ_ONLY = { share: "all", access: { level: "read-only" } } as const;
const session = (more: Partial<PolicySession> = {}): PolicySession => ({ lease: new Lease(), ...more });

describe("the policy", () => {
  test("classifies commands of the app wire", () => {
    expect(classOfCommand("click")).toBe("act");
    expect(classOfCommand("evaluate")).toBe("act");
    expect(classOfCommand("screenshot")).toBe("look");
  });

  test("allows looking whatever the settings are", () => {
    const policy = new Policy({ readOnly: true, person: () => READ_ONLY });
    expect(policy.decide({ ...act, kind: "look", session: session() })).toBeUndefined();
  });

  test("refuses for everyone what reaches beyond the tabs", () => {
    const policy = new Policy({ readOnly: false });
    expect(policy.decide({ ...act, kind: "never", method: "Browser.close" })?.code).toBe("not_supported");
  });

  test("refuses acting and profile-wide commands on a read-only hub, with the setting in the message", () => {
    const policy = new Policy({ readOnly: true });
    for (const kind of ["act", "profile"] as const)
      expect(policy.decide({ ...act, kind, session: session() })).toMatchObject({
        code: "read_only",
        message: expect.stringMatching(/--read-only, and click acts/),
      });
  });

  test("refuses acting while another client holds the lease, until it ends", () => {
    let now = 0;
    const policy = new Policy({ readOnly: false, now: () => now });
    const held = session();
    held.lease.acquire("b", "Bob", 0, 1_000);
    expect(policy.decide({ ...act, session: held })?.code).toBe("lease_held");
    expect(policy.decide({ ...act, client: "b", session: held })).toBeUndefined();
    now = 1_000;
    expect(policy.decide({ ...act, session: held })).toBeUndefined();
  });

  test("applies the person's settings to tabs and to the browser, and not to other sessions", () => {
    const policy = new Policy({ readOnly: false, person: () => READ_ONLY });
    const refusal = { code: "read_only", message: expect.stringContaining("popup") };
    expect(policy.decide({ ...act, session: session({ access: READ_ONLY.access }) })).toMatchObject(refusal);
    expect(policy.decide({ ...act, session: session({ access: { level: "full" } }) })).toBeUndefined();
    expect(policy.decide({ ...act, kind: "profile" })).toMatchObject(refusal);
    expect(policy.decide({ ...act, session: session() })).toBeUndefined();
  });

  test("refuses evaluation when the app does not allow it", () => {
    const policy = new Policy({ readOnly: false });
    const evaluate = { ...act, method: "evaluate" };
    expect(policy.decide({ ...evaluate, session: session({ allowsEval: false }) })?.code).toBe(
      "eval_disabled",
    );
    expect(policy.decide({ ...evaluate, session: session({ allowsEval: true }) })).toBeUndefined();
    expect(policy.decide({ ...evaluate, session: session() })).toBeUndefined();
    expect(() => policy.assert({ ...evaluate, session: session({ allowsEval: false }) })).toThrow(
      "enableEval",
    );
  });
});
