import { expect, it } from "vitest";
import { compilerError } from "./compiler-error.js";

it("reads the message, the line and the code of an error that Rspack draws", () => {
  const error = compilerError({
    moduleName: "./total.js",
    message: `  × Module parse failed:
  ╰─▶   × JavaScript parse error: Unexpected token ';'
         ╭─[4:29]
       3 │ export const total = (prices) => {
       4 │     return new new prices(((;
         ·                             ─
         ╰────

  help:
        You may need an appropriate loader to handle this file type.
`,
  });
  expect(error).toMatchObject({
    ...{ message: "JavaScript parse error: Unexpected token ';'", file: "total.js", line: 4 },
    frame: expect.stringContaining("4 │     return new new prices(((;"),
  });
  expect(error.column).toBeUndefined();
});

it("a line of the code is not reported as webpack's message", () => {
  const message = `Module parse failed: Unexpected token (2:18)
File was parsed as module type 'javascript/auto'.
| export const fail = () => {
>   throw new Error(((;
| };`;
  expect(compilerError({ moduleName: "./fail.js", loc: "2:18", message })).toMatchObject({
    ...{ message: "Module parse failed: Unexpected token (2:18)", file: "fail.js", line: 2, column: 18 },
  });
});

it("leaves out the lines with which loaders announce a message, and their colours", () => {
  const babel = `Module build failed (from ./node_modules/babel-loader/lib/index.js):
SyntaxError: /app/src/a.js: Unexpected token (3:4)

  1 | // one
> 3 |   ((;
    |     ^
    at parse (/app/node_modules/parser.js:1:1)`;
  expect(compilerError({ moduleName: "./loader.js!./src/a.js", message: babel })).toEqual({
    ...{
      message: "SyntaxError: /app/src/a.js: Unexpected token (3:4)",
      file: "src/a.js",
      line: 3,
      column: 4,
    },
    frame: "  1 | // one\n> 3 |   ((;\n    |     ^",
  });
  const typescript =
    "\u001b[90m[tsl] \u001b[39m\u001b[31mERROR\u001b[39m\u001b[31m in \u001b[39m/app/a.ts(5,11)\n\u001b[31m      TS1005: ',' expected.\u001b[39m";
  expect(compilerError({ moduleName: "./a.ts", loc: "5:11", message: typescript })).toMatchObject({
    ...{ message: "TS1005: ',' expected.", file: "a.ts", line: 5, column: 11 },
  });
});

it("an error without a text gets a message", () => {
  expect(compilerError({})).toEqual({ message: "", frame: "" });
});
