import { BridgeError } from "@debug-bridge/protocol";
import { browserInstructionSchema } from "@debug-bridge/protocol/schemas";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ACTIONS, EXAMPLE_VALUES, FIELDS, NEEDED } from "./fields.js";
import { parseInstruction } from "./parse.js";
import { printInstruction } from "./print.js";

function refused(xml: string): BridgeError {
  try {
    parseInstruction(xml);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(BridgeError);
    return thrown as BridgeError;
  }
  throw new Error(`accepted: ${xml}`);
}

const corrected = (error: BridgeError): string => String(error.details?.corrected);

describe("an instruction", () => {
  it("is one element for each parameter, with or without a root [RUN-006, RUN-015]", () => {
    const fields = "<type>click</type><targets>Sign in</targets><debug>true</debug>";
    const wanted = { type: "click", targets: "Sign in", debug: true, screenshots: "none", button: "left" };
    expect(parseInstruction(`<browser_action>${fields}</browser_action>`)).toMatchObject(wanted);
    expect(parseInstruction(fields)).toMatchObject(wanted);
    expect(
      parseInstruction(`<?xml version="1.0"?>\n<browser_action>\n  ${fields}\n</browser_action>\n`),
    ).toMatchObject(wanted);
  });

  it("may have its parameters as attributes [RUN-005]", () => {
    expect(parseInstruction(`<browser_action action='click' selector='#button' />`)).toMatchObject({
      type: "click",
      selector: "#button",
    });
    expect(
      parseInstruction(`<browser_action type="type" selector="a &gt; b"><text>x</text></browser_action>`),
    ).toEqual(expect.objectContaining({ selector: "a > b", text: "x" }));
  });

  it("keeps special characters, through escapes or CDATA, and the spaces of what is typed [RUN-018]", () => {
    expect(parseInstruction("<type>type</type><text> a &lt; b &amp;&#x1F600; </text>")).toMatchObject({
      text: " a < b &😀 ",
    });
    expect(
      parseInstruction("<type>evaluate</type><code><![CDATA[1 < 2 && '</code>']]></code>"),
    ).toMatchObject({
      code: "1 < 2 && '</code>'",
    });
    expect(parseInstruction("<type>navigate</type><url> http://a.test/?x=1&y=2 </url>")).toMatchObject({
      url: "http://a.test/?x=1&y=2",
    });
  });

  it("comes back as it was after it was printed, in the element form [RUN-017, RUN-018]", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1 }),
        fc.string({ minLength: 1 }),
        (text, code) => {
          const xml = printInstruction({ type: "type", selector: "#a", text });
          expect(xml).toMatch(/^<browser_action><type>type<\/type><selector>#a<\/selector><text>/);
          expect(parseInstruction(xml)).toMatchObject({ text });
          expect(parseInstruction(printInstruction({ type: "evaluate", code }))).toMatchObject({ code });
        },
      ),
    );
    const click = { type: "click", xRange: { min: 1, max: 2 }, yRange: { min: 3, max: 4 } } as const;
    expect(parseInstruction(printInstruction(click))).toMatchObject(click);
  });

  it("accepts ranges as JSON, with min not above max, and both of them [RUN-071, RUN-075, RUN-076]", () => {
    const click = (x: string, y?: string): string =>
      `<type>click</type><xRange>${x}</xRange>${y ? `<yRange>${y}</yRange>` : ""}`;
    expect(parseInstruction(click('{"min": 100, "max": 120}', '{"min":1,"max":1}'))).toMatchObject({
      xRange: { min: 100, max: 120 },
      yRange: { min: 1, max: 1 },
    });
    expect(refused(click('{"min": 1, "max": 2}')).message).toContain("both xRange and yRange");
    expect(refused(click("100-120", '{"min":1,"max":1}'))).toMatchObject({ details: { field: "xRange" } });
    expect(refused(click('{"min": 9, "max": 2}', '{"min":1,"max":1}')).message).toContain("not be above max");
  });

  it("bounds visualThreshold, and defaults it and screenshots [RUN-078, RUN-086]", () => {
    const click = "<type>click</type><targets>a</targets>";
    expect(parseInstruction(click)).toMatchObject({ visualThreshold: 0.05, screenshots: "none" });
    for (const wrong of ["-0.1", "1.1", "much"])
      expect(refused(`${click}<visualThreshold>${wrong}</visualThreshold>`).message).toContain(
        "visualThreshold",
      );
    for (const right of ["none", "after", "both"])
      expect(parseInstruction(`${click}<screenshots>${right}</screenshots>`)).toMatchObject({
        screenshots: right,
      });
    expect(refused(`${click}<screenshots>before</screenshots>`).details?.field).toBe("screenshots");
  });

  it("sets both error thresholds and which errors are retried [RUN-030]", () => {
    const xml =
      '<type>start</type><url>http://a.test/</url><maxConsecutiveErrors>5</maxConsecutiveErrors><totalErrorThreshold>50</totalErrorThreshold><maxRetries>1</maxRetries><retryDelay>5</retryDelay><retryOnErrors>["boom"]</retryOnErrors>';
    expect(parseInstruction(xml)).toMatchObject({
      maxConsecutiveErrors: 5,
      totalErrorThreshold: 50,
      maxRetries: 1,
      retryDelay: 5,
      retryOnErrors: ["boom"],
    });
  });
});

describe("an invalid instruction", () => {
  it("is refused with the field and a corrected form [RUN-007, RUN-016, RUN-019…021]", () => {
    for (const [xml, field, form] of [
      ["<type>navigate</type>", "url", "<url>http://localhost:3000/</url>"],
      ["<type>start</type><url></url>", "url", "<type>start</type><url>http://localhost:3000/</url>"],
      ["<type>navigate</type><url>localhost:5173/a</url>", "url", "<url>http://localhost:5173/a</url>"],
      ["<type>navigate</type><url>/orders</url>", "url", "<url>http://localhost:3000/</url>"],
      ["<type>navigate</type><url>javascript:alert(1)</url>", "url", "http://"],
      ["<type>clik</type><targets>Save</targets>", "type", "<type>click</type><targets>Save</targets>"],
      [
        "<type>goto</type><url>http://a.test/</url>",
        "type",
        "<type>navigate</type><url>http://a.test/</url>",
      ],
      ["<targets>Save</targets>", "type", "<type>start</type>"],
      ["<type>click</type><target>Save</target>", "target", "<targets>Save</targets>"],
      [
        "<type>click</type><visualVerify>maybe</visualVerify><targets>a</targets>",
        "visualVerify",
        "<targets>a</targets>",
      ],
      ["<type>press</type>", "key", "<key>Enter</key>"],
    ] as const) {
      const error = refused(xml);
      expect(error.details?.field, xml).toBe(field);
      expect(error.message, xml).toContain(form);
      expect(error.message, xml).toContain(field);
      expect(() => parseInstruction(corrected(error)), corrected(error)).not.toThrow();
    }
  });

  it("does not repeat typed text in the error, because it may be a secret", () => {
    const error = refused("<type>type</type><selector>#pw</selector><text>hunter2</text><cleer>true</cleer>");
    expect(error.message).not.toContain("hunter2");
    expect(error.message).toContain("<clear>true</clear>");
  });

  it("that is not well-formed gets an error with the position and how to escape", () => {
    const error = refused("<type>evaluate</type><code>if (a < b) 1</code>");
    expect(error.message).toMatch(/not well-formed XML.*line 1.*&lt;/);
    expect(corrected(error)).toContain("<type>evaluate</type>");
    for (const xml of [
      "",
      "hello",
      "<type>stop",
      "<type>stop</type></x>",
      "<a b=1/>",
      "<type>stop</type>junk",
    ])
      expect(() => parseInstruction(corrected(refused(xml)))).not.toThrow();
  });

  it("with the same field twice, nested elements or attributes on a field is refused", () => {
    expect(refused("<type>stop</type><type>start</type>").message).toContain("twice");
    expect(refused("<browser_action type='stop'><type>stop</type></browser_action>").message).toContain(
      "twice",
    );
    expect(refused("<type>type</type><text><b>x</b></text>").details?.field).toBe("text");
    expect(refused("<type x='1'>stop</type>").message).toContain("no attributes");
    expect(refused("<browser_action><type>stop</type></browser_action><browser_action/>").message).toContain(
      "one at a time",
    );
  });
});

describe("hostile XML", () => {
  it("cannot define entities, and unknown ones do not expand", () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><type>type</type><text>&b;</text>`;
    expect(refused(bomb).message).toContain("DOCTYPE");
    expect(refused(`<!doctype html><type>stop</type>`).message).toContain("DOCTYPE");
    expect(parseInstruction("<type>type</type><text>&b;&b;</text>")).toMatchObject({ text: "&b;&b;" });
    expect(parseInstruction("<type>type</type><text><![CDATA[<!DOCTYPE html>]]></text>")).toMatchObject({
      text: "<!DOCTYPE html>",
    });
  });

  it("is bounded in size, in tags and in depth", () => {
    expect(refused(`<type>type</type><text>${"x".repeat(2_000_001)}</text>`).code).toBe("too_large");
    expect(refused("<a/>".repeat(10_000)).code).toBe("too_large");
    expect(refused(`${"<a>".repeat(200)}${"</a>".repeat(200)}`).code).toBe("invalid_message");
    expect(refused(`<type>type</type><text>${"x".repeat(300_000)}</text>`).details?.field).toBe("text");
  });

  it("that opens many CDATA sections and closes none is refused quickly", () => {
    expect(refused("<![CDATA[".repeat(200_000)).code).toBe("too_large");
    expect(refused("<type>type</type><text><![CDATA[x</text>").message).toContain("well-formed");
  });

  it("pollutes no prototype", () => {
    refused("<browser_action __proto__='x' type='stop'/>");
    refused("<type>stop</type><__proto__>x</__proto__>");
    refused("<type>constructor</type>");
    refused("<type>stop</type><constructor>x</constructor>");
    refused("<type>stop</type><toString>x</toString>");
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it("of any form is an instruction or a typed error with a valid corrected form", () => {
    const names = fc.constantFrom(
      "type",
      "action",
      "url",
      "xRange",
      "text",
      "ms",
      "browser_action",
      "toString",
      "a",
    );
    const values = fc.oneof(
      fc.string(),
      fc.constantFrom(...ACTIONS, "-1", "{}", "null", "http://a.test/", "<", "]]>"),
    );
    const element = fc.tuple(names, values).map(([name, value]) => `<${name}>${value}</${name}>`);
    const xml = fc.oneof(
      fc.string(),
      fc.array(element, { maxLength: 5 }).map((list) => list.join("")),
    );
    fc.assert(
      fc.property(xml, (text) => {
        try {
          expect(browserInstructionSchema.safeParse(parseInstruction(text)).success).toBe(true);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(BridgeError);
          expect(() => parseInstruction(corrected(thrown as BridgeError))).not.toThrow();
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("the examples for corrections", () => {
  it.each([...FIELDS])("of %s fit every field", (type, fields) => {
    const least = Object.fromEntries((NEEDED[type] ?? []).map((name) => [name, EXAMPLE_VALUES[name]]));
    const all = Object.fromEntries(
      fields.map((name) => [name, name === "type" ? type : EXAMPLE_VALUES[name]]),
    );
    expect(Object.values(all)).not.toContain(undefined);
    expect(browserInstructionSchema.safeParse({ type, ...least }).error?.message).toBeUndefined();
    expect(browserInstructionSchema.safeParse(all).error?.message).toBeUndefined();
  });
});
