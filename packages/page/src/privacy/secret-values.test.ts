import { describe, expect, test } from "vitest";
import { SecretValues } from "./secret-values.js";

const field = (value = ""): { value: string; isConnected: boolean } => ({ value, isConnected: true });

function typeInto(values: SecretValues, into: { value: string; isConnected: boolean }, text: string): void {
  const live = into === password;
  for (const key of text) {
    into.value += key;
    values.follow(into, live);
    values.forms();
  }
}
let password = field();

describe("passwords", () => {
  test("are known while they are typed, and after the field was emptied", () => {
    const values = new SecretValues();
    password = field();
    typeInto(values, password, "hunter22");
    expect(values.forms()).toContain("hunter22");
    password.value = "";
    expect(values.forms()).toEqual(["hunter22"]);
  });

  test("are kept when another one replaces them, without the intermediate values", () => {
    const values = new SecretValues();
    password = field();
    typeInto(values, password, "firstpassword");
    for (let i = 0; i < 5; i++) {
      password.value = password.value.slice(0, -1);
      values.follow(password, true);
    }
    password.value = "second one";
    values.follow(password, true);
    expect(values.forms()).toEqual(expect.arrayContaining(["second one", "firstpas"]));
    expect(values.forms()).not.toContain("firstpassword".slice(0, 10));
  });

  test("are not pushed out by other private fields", () => {
    const values = new SecretValues();
    password = field();
    typeInto(values, password, "hunter22");
    values.finish(password);
    password.value = "";
    for (let i = 0; i < 100; i++) values.keep(`private ${i}`, false);
    expect(values.forms()).toContain("hunter22");
    expect(values.forms()).toContain("private 99");
    expect(values.forms()).not.toContain("private 1");
  });
});

describe("other private fields", () => {
  test("count when they are finished, not at every key", () => {
    const values = new SecretValues();
    const note = field();
    typeInto(values, note, "https://example.com");
    expect(values.forms()).toEqual([]);
    values.finish(note);
    expect(values.forms()).toContain("https://example.com");
    expect(values.forms()).not.toContain("http");
  });

  test("are finished when they leave the page", () => {
    const values = new SecretValues();
    const note = field();
    typeInto(values, note, "private words");
    note.isConnected = false;
    expect(values.forms()).toContain("private words");
  });
});
