import { expect, it } from "vitest";
import { maskMessage } from "./mask-message.js";

const SECRET = "hunter2-secret";

it.each([
  ["typed text", { id: 1, method: "Input.insertText", params: { text: SECRET } }],
  ["keys", { id: 1, method: "Input.dispatchKeyEvent", params: { type: "char", text: SECRET, key: SECRET } }],
  [
    "cookies that are read",
    { id: 1, result: { cookies: [{ name: "sid", value: SECRET, domain: "a.test" }] } },
  ],
  [
    "a cookie that is set",
    { method: "Network.setCookie", params: { name: "sid", value: SECRET, url: "http://a" } },
  ],
  [
    "headers",
    { method: "Network.requestWillBeSentExtraInfo", params: { headers: { Cookie: `sid=${SECRET}` } } },
  ],
  ["a token in a header", { params: { request: { headers: { Authorization: `Bearer ${SECRET}` } } } }],
  ["a list of headers", { params: { headers: [{ name: "authorization", value: `Basic ${SECRET}` }] } }],
  ["a form", { params: { request: { postData: `password=${SECRET}` } } }],
  ["the body of an answer", { result: { body: SECRET, base64Encoded: false } }],
  [
    "a URL",
    { method: "Page.navigate", params: { url: `http://a:${SECRET}@a.test/?access_token=${SECRET}` } },
  ],
  ["a value with a secret name", { result: { result: { value: { password: SECRET } } } }],
])("the log of the wire does not show %s", (_, message) => {
  const masked = maskMessage(JSON.stringify(message));
  expect(masked).not.toContain(SECRET);
  expect(Object.keys(JSON.parse(masked as string))).toEqual(Object.keys(message));
});

it("the log of the wire shows nothing of a message that cannot be masked", () => {
  expect(maskMessage(`not JSON ${SECRET}`)).toBeUndefined();
  expect(maskMessage(JSON.stringify({ a: "x".repeat(200_000) }))).toBeUndefined();
});
