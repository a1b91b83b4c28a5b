import { encode } from "gpt-tokenizer";
import { describe, expect, it } from "vitest";
import { annotationsOf, modelSchema } from "./definition.js";
import { shellTools, tools } from "./tools/all.js";

/** What a client sends to a model with every request. */
const definitions = tools.map((tool) => ({
  name: tool.name,
  description: tool.description,
  inputSchema: modelSchema(tool),
  ...annotationsOf(tool),
}));

interface Shown {
  readonly type?: unknown;
  readonly items?: { readonly type?: unknown };
}

describe("the definitions of the tools", () => {
  it("cost at most 1,600 tokens together", () => {
    expect(encode(JSON.stringify(definitions)).length).toBeLessThanOrEqual(1_600);
  });

  it.each(definitions.map((each) => [each.name, each] as const))(
    "give every field of %s a type, as the APIs of models require",
    (_name, { inputSchema }) => {
      for (const [name, field] of Object.entries(inputSchema.properties as Record<string, Shown>)) {
        expect(field.type, name).toBeTypeOf("string");
        if (field.type === "array") expect(field.items?.type, name).toBeTypeOf("string");
      }
    },
  );

  it.each(shellTools.map((tool) => [tool.name, tool] as const))(
    "describe every field of %s for the help of the command line",
    (_name, { input }) => {
      const fields = Object.entries(input.shape as Record<string, { description?: string }>);
      expect(fields.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
    },
  );

  it("explain every field that has no description of its own, in the description of the tool or of sessions", () => {
    const [sessions] = definitions;
    for (const { name, description, inputSchema } of definitions) {
      for (const [field, shown] of Object.entries(inputSchema.properties as Record<string, object>)) {
        if ("description" in shown) continue;
        const explained = `${description} ${sessions?.description} ${SELF_EXPLAINING[name] ?? ""}`;
        expect(explained, `${name}: ${field}`).toMatch(new RegExp(`\\b${field}\\b`));
      }
    }
  });
});

/** Fields whose names say what they are. */
const SELF_EXPLAINING: Readonly<Record<string, string>> = {
  find: "text role name",
  logs: "types",
  eval: "code",
  screenshot: "fullPage",
  browser_action: "instruction",
  execute: "timeoutMs",
};
