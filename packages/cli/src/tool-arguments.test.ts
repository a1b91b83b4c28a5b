import { shellTools } from "@debug-bridge/mcp";
import { BridgeError } from "@debug-bridge/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readArguments } from "./tool-arguments.js";

const read = (name: string, ...words: string[]): Record<string, unknown> => {
  const tool = shellTools.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return readArguments(tool, words);
};

describe("the words of a tool's command", () => {
  it.each([
    ["act my-app click Save", { session: "my-app", type: "click", target: { text: "Save" } }],
    ["act click e12", { type: "click", target: { ref: "e12" } }],
    ["act my-app type #name 5551112222 submit=true", typed("my-app", { selector: "#name" }, "5551112222")],
    ["act my-app select .size M", picked("my-app", ".size", ["M"])],
    ['act my-app select .size ["S","M"]', picked("my-app", ".size", ["S", "M"])],
    ["act my-app navigate /cart?a=b", { session: "my-app", type: "navigate", url: "/cart?a=b" }],
    ["act my-app press Control+a", { session: "my-app", type: "press", key: "Control+a" }],
    ["act my-app scroll bottom", { session: "my-app", type: "scroll", to: "bottom" }],
    ["act my-app scroll y=-300", { session: "my-app", type: "scroll", y: -300 }],
    ["act my-app wait_for Saved maxMs=500", wait("Saved")],
    [
      "act my-app call_tool add {" + '"n":1}',
      { session: "my-app", type: "call_tool", name: "add", input: { n: 1 } },
    ],
    [
      'act my-app type=click target={"text":"Save"}',
      { session: "my-app", type: "click", target: { text: "Save" } },
    ],
    ["act type=click target=Save settle=false", { type: "click", target: { text: "Save" }, settle: false }],
    ["act my-app dialog accept Ada", { session: "my-app", type: "dialog", action: "accept", text: "Ada" }],
    ['act my-app actions=[{"type":"click"}]', { session: "my-app", actions: [{ type: "click" }] }],
    ['act actions=[{"type":"click"}]', { actions: [{ type: "click" }] }],
    ["act set_files e4 /dev/null", upload({ name: "null", data: "" })],
    ['act set_files e4 [{"path":"/tmp/a"}]', upload({ path: "/tmp/a" })],
    ["find Save", { text: "Save" }],
    ["find my-app Save role=button", { session: "my-app", text: "Save", role: "button" }],
    ["find session=my-app pattern=^a+$", { session: "my-app", pattern: "^a+$" }],
    ["find my-app source=app.tsx:6", { session: "my-app", source: "app.tsx:6" }],
    ["find source=Total", { source: "Total" }],
    ["why", {}],
    ["why 120", { record: 120 }],
    ["why my-app", { session: "my-app" }],
    ["why my-app 120", { session: "my-app", record: 120 }],
    ["eval document.title", { code: "document.title" }],
    ["eval my-app document.title", { session: "my-app", code: "document.title" }],
    ["eval my-app x=1", { session: "my-app", code: "x=1" }],
    ["eval my-app code=x=1", { session: "my-app", code: "x=1" }],
    ["observe", {}],
    ["observe my-app maxTokens=500", { session: "my-app", maxTokens: 500 }],
    ["logs errors=true since=120", { errors: true, since: 120 }],
  ])("%s", (line, input) => {
    const [name = "", ...words] = line.split(" ");
    expect(read(name, ...words)).toEqual(input);
  });

  it.each([
    ["act my-app click Save tex=x", 'act has no field "tex"; the fields are type, target, text'],
    ["act my-app click Save now", 'unexpected argument "now"'],
    ["observe my-app more", 'unexpected argument "more"'],
    ["act set_files e4 /no/such/file", "the file /no/such/file cannot be read"],
    ["logs my-app error=true", 'logs has no field "error"'],
    ["act my-app toString now", 'unknown action "toString"; use click, hover, type'],
    ["act my-app clik Save", 'unknown action "clik"; did you mean click?'],
    ["act clik", 'unknown action "clik"; did you mean click?'],
    ["act my-app", "an action is missing; use click"],
    ["act", "an action is missing; use click"],
    ["act type=fly", 'unknown action "fly"; use click'],
  ])("%s is refused with the fields of the tool", (line, message) => {
    const [name = "", ...words] = line.split(" ");
    expect(() => read(name, ...words)).toThrow(message);
  });

  it("keep a text as it was given, whatever it looks like", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.integer().map(String)), (text) => {
        expect(read("act", "my-app", "type", "e1", `text=${text}`)).toMatchObject({ text });
      }),
    );
  });

  it("are read or refused, never more", () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom("click", "type", "e1", "text=a", "my-app", "=", "code=1"),
    );
    fc.assert(
      fc.property(fc.constantFrom("act", "eval", "observe", "logs"), fc.array(word), (name, words) => {
        try {
          read(name, ...words);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(BridgeError);
        }
      }),
    );
  });
});

function typed(session: string, target: object, text: string): object {
  return { session, type: "type", target, text, submit: true };
}
function picked(session: string, selector: string, values: string[]): object {
  return { session, type: "select", target: { selector }, values };
}
function upload(file: object): object {
  return { type: "set_files", target: { ref: "e4" }, files: [file] };
}
function wait(text: string): object {
  return { session: "my-app", type: "wait_for", text, maxMs: 500 };
}
