import type { BrowserInstructionInput } from "@debug-bridge/protocol";
import { fieldText } from "./field-text.js";
import { escapeXml } from "./xml-text.js";

/**
 * An instruction as XML, in the element form.
 *
 * @example printInstruction({ type: "click", targets: "Save & close" })
 * // <browser_action><type>click</type><targets>Save &amp; close</targets></browser_action>
 */
export function printInstruction(instruction: BrowserInstructionInput | Record<string, unknown>): string {
  const elements = Object.entries(instruction)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<${name}>${escapeXml(fieldText(value))}</${name}>`);
  return `<browser_action>${elements.join("")}</browser_action>`;
}
