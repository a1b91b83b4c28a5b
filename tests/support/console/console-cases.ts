/** One console call, written once and printed in every world that captures the console. */
export interface ConsoleCase {
  /** Arguments of `console.log`, as source code. */
  readonly call: string;
  /** The line that a reader sees, with format specifiers applied. */
  readonly text: string;
}

/** The same call must give the same text, with the same parts masked, in every capture. */
export const CONSOLE_CASES: readonly ConsoleCase[] = [
  { call: `"plain", 1.5, true, null, undefined`, text: "plain 1.5 true null undefined" },
  { call: `-0, NaN, 10n, Symbol("s")`, text: "-0 NaN 10n Symbol(s)" },
  { call: `{ a: 1, b: ["x", { c: null }] }`, text: '{a: 1, b: ["x", {c: null}]}' },
  { call: `new Map([["k", new Date(0)]]), new Set([1])`, text: "Map {k: 1970-01-01T00:00:00.000Z} Set [1]" },
  { call: `/a+/gi, new URL("http://a.test/x")`, text: "/a+/gi http://a.test/x" },
  { call: `function add() {}, class Cart {}`, text: "ƒ add ƒ Cart" },
  { call: `{ get lazy() { throw 1 } }`, text: "{lazy: (getter)}" },
  { call: `(() => { const a = {}; a.self = a; return a })()`, text: "{self: [Circular]}" },
  { call: `Object.assign(document.createElement("b"), { id: "x" })`, text: '<b id="x"></b>' },
  { call: `new Uint8Array([1, 2])`, text: "Uint8Array [1, 2]" },
  {
    call: `"%s has %d items (%f) %o %%", "cart", 3.7, 1.5, { a: 1 }`,
    text: "cart has 3 items (1.5) {a: 1} %",
  },
  { call: `"%cred%c plain", "color: red", "", "100%d", 5`, text: "red plain 100%d 5" },
  // Names of secrets.
  {
    call: `{ pin: "1234", db_pass: "x", pw: "y", one_time_code: 7, user: "ada" }`,
    text: '{pin: "•••", db_pass: "•••", pw: "•••", one_time_code: "•••", user: "ada"}',
  },
  {
    call: `{ authToken: "a", maxTokens: 5, auth: { login: "ada" } }`,
    text: '{authToken: "•••", maxTokens: 5, auth: {login: "ada"}}',
  },
  { call: `new Map([["password", "x"]])`, text: 'Map {password: "•••"}' },
  // Texts that hold secrets.
  { call: `"GET https://u:pass@host/?token=abc&x=1"`, text: "GET https://u:•••@host/?token=•••&x=1" },
  { call: `"Authorization: Basic dXNlcjpwYXNz"`, text: "Authorization: Basic •••" },
  { call: `"sent Bearer abcdef123456"`, text: "sent Bearer •••" },
  { call: `JSON.stringify({ user: "ada", password: "x" })`, text: '{"user":"ada","password":"•••"}' },
  { call: `"user=ada password=abc"`, text: "user=ada password=•••" },
  { call: `"password=%s for %s", "hunter2", "ada"`, text: "password=••• for ada" },
  { call: `["Cookie: sid=abcdef"]`, text: '["Cookie: •••"]' },
];
