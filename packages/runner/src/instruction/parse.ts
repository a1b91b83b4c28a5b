import { BridgeError, type BrowserInstruction } from "@debug-bridge/protocol";
import { browserInstructionSchema, check } from "@debug-bridge/protocol/schemas";
import { correctedForm, meant } from "./correct.js";
import { fieldText } from "./field-text.js";
import { ACTIONS, FIELDS } from "./fields.js";
import { readXml } from "./read-xml.js";

/**
 * Parses one instruction. Throws on the first mistake, with the field and a corrected form.
 *
 * @example parseInstruction("<type>navigate</type><url>http://localhost:3000/</url>")
 */
export function parseInstruction(xml: string): BrowserInstruction {
  let fields: Record<string, string>;
  try {
    fields = readXml(xml);
  } catch (thrown) {
    const type = /<type>\s*(\w{1,20})|\b(?:action|type)\s*=\s*["'](\w{1,20})/.exec(xml.slice(0, 10_000));
    throw withCorrection(BridgeError.from(thrown), { type: type?.[1] ?? type?.[2] ?? "" });
  }
  return checkFields(fields);
}

/** The same for fields that are already parsed: a tool call's input. */
export function checkFields(fields: Readonly<Record<string, unknown>>): BrowserInstruction {
  try {
    refuseUnknown(fields);
    const decoded = check(browserInstructionSchema, fields);
    if (!decoded.ok) throw decoded.error;
    return decoded.value;
  } catch (thrown) {
    const texts = Object.entries(fields).map(([name, value]) => [name, fieldText(value)] as const);
    throw withCorrection(BridgeError.from(thrown), Object.fromEntries(texts));
  }
}

/** Unknown fields are refused: to ignore one would silently drop what the model asked for. */
function refuseUnknown(fields: Readonly<Record<string, unknown>>): void {
  const { type } = fields;
  if (type === undefined || type === "") {
    throw new BridgeError("invalid_message", `type is missing; use one of ${ACTIONS.join(", ")}`, {
      field: "type",
    });
  }
  const known = FIELDS.get(String(type));
  if (!known) {
    const close = meant(String(type), ACTIONS);
    throw new BridgeError(
      "unknown_type",
      `type is ${JSON.stringify(String(type).slice(0, 60))}, which is not an action${close ? `; did you mean "${close}"?` : "."} Use one of ${ACTIONS.join(", ")}`,
      { field: "type" },
    );
  }
  for (const name of Object.keys(fields)) {
    if (known.includes(name)) continue;
    const close = meant(name, known);
    throw new BridgeError(
      "invalid_message",
      `${name.slice(0, 60)}: ${String(type)} has no such field${close ? `; did you mean ${close}?` : "."} Its fields are ${known.filter((one) => one !== "type").join(", ")}`,
      { field: name.slice(0, 60) },
    );
  }
}

function withCorrection(error: BridgeError, fields: Readonly<Record<string, string>>): BridgeError {
  const corrected = correctedForm(fields);
  return new BridgeError(error.code, `${error.message}. Corrected form: ${corrected}`, {
    field: "",
    ...error.details,
    corrected,
  });
}
