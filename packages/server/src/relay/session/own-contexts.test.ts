import { describe, expect, it } from "vitest";
import { OwnContexts } from "./own-contexts.js";

const real = (
  id: number,
  name: string,
  isDefault: boolean,
  frameId = "F",
): Parameters<OwnContexts["bind"]>[0] => ({
  id,
  name,
  auxData: { isDefault, frameId },
});

describe("synthetic contexts", () => {
  it("are bound to the real ones of the same frame and world", () => {
    const contexts = new OwnContexts();
    const main = contexts.create("F", "", "http://a/").context.id;
    const utility = contexts.create("F", "utility", "http://a/").context.id;
    expect(contexts.create("F", "utility", "http://a/")).toMatchObject({
      isNew: false,
      context: { id: utility },
    });
    expect(contexts.bind(real(1, "", true, "G"))).toBe(false);
    expect(contexts.bind(real(2, "", false))).toBe(false);
    expect(contexts.bind(real(3, "utility", false))).toBe(true);
    expect(contexts.bind(real(4, "", true))).toBe(true);
    expect([contexts.toReal(main), contexts.toReal(utility), contexts.toReal(77)]).toEqual([4, 3, 77]);
    expect([contexts.toOwn(4), contexts.toOwn(3), contexts.toOwn(5)]).toEqual([main, utility, 5]);
  });

  it("end with the real ones, and are not given twice", () => {
    const contexts = new OwnContexts();
    const main = contexts.create("F", "", "http://a/").context.id;
    contexts.bind(real(4, "", true));
    expect(contexts.bind(real(9, "", true))).toBe(false);
    contexts.dropReal(4);
    expect(contexts.any).toBe(false);
    expect(contexts.create("F", "", "http://a/").context.id).not.toBe(main);
  });
});
