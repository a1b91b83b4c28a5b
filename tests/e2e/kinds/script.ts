import type { CommandInput } from "@debug-bridge/protocol";

/** One step of the script: a command, and the error it must end with, if any. */
export interface Step {
  readonly command: CommandInput;
  readonly error?: string;
}

const step = (command: CommandInput, error?: string): Step => ({ command, ...(error ? { error } : {}) });

const buy = { role: "button", name: "Buy" };
const name = { role: "textbox", name: "Name" };
const size = { role: "combobox", name: "Size" };

/**
 * What an agent does with the shop, in 40 steps. None of them depends on the size of the window or on trusted input, which
 * the kinds of sessions do not have in common.
 */
export const SCRIPT: readonly Step[] = [
  step({ type: "request_ui_tree", format: "text", maxTokens: 2_000 }),
  step({ type: "click", target: buy }),
  step({ type: "click", target: { text: "Cart (1)" } }),
  step({ type: "click", target: { text: "Nothing of the kind" } }, "target_not_found"),
  step({ type: "click", target: { text: "Remove" } }, "ambiguous_target"),
  step({ type: "click", target: { text: "Sold out" } }, "not_actionable"),
  step({ type: "click", target: { ref: "e1" } }, "stale_ref"),
  step({ type: "type", target: name, text: "Ada" }),
  step({ type: "type", target: name, text: " Lovelace" }),
  step({ type: "type", target: name, text: "Grace", clear: true }),
  step({ type: "type", target: { selector: "main input" }, text: "!" }),
  step({ type: "type", target: { text: "No such field" }, text: "x" }, "target_not_found"),
  step({ type: "wait_for", text: "Shop" }),
  step({ type: "wait_for", target: buy, state: "visible" }),
  step({ type: "wait_for", text: "never there", maxMs: 100 }, "timeout"),
  step({ type: "evaluate", code: "document.querySelector('main input').value" }),
  step({ type: "select", target: size, values: ["L"] }),
  step({ type: "select", target: size, values: ["S"] }),
  step({ type: "select", target: size, values: ["XXL"] }, "target_not_found"),
  step({ type: "click", target: { text: "Gift" } }),
  step({ type: "click", target: { text: "Gift" } }),
  step({ type: "press", key: "Escape" }),
  step({ type: "press", key: "Enter", target: name }),
  step({ type: "press", key: "Hyper+Nonsense" }, "invalid_message"),
  step({ type: "hover", target: { text: "Home" } }),
  step({ type: "hover", target: { text: "Nowhere" } }, "target_not_found"),
  // How far earlier steps scrolled depends on the window.
  step({ type: "evaluate", code: "scrollTo(0, 0)" }),
  step({ type: "scroll", y: 100 }),
  step({ type: "scroll", to: "top" }),
  step({ type: "scroll", target: { selector: "#none" } }, "target_not_found"),
  step({ type: "click", target: { role: "link", name: "Help" } }),
  step({ type: "wait_for", url: "#help" }),
  step({ type: "click", target: { text: "Break" } }),
  step({ type: "evaluate", code: "6 * 7" }),
  step({
    type: "evaluate",
    code: "({ title: document.title, rows: document.querySelectorAll('li').length })",
  }),
  step({ type: "evaluate", code: "missing.value" }, "evaluation_failed"),
  step({ type: "click", target: buy, clickCount: 2 }),
  step({ type: "click", target: { text: "Talk" }, settle: { quietMs: 300 } }),
  step({
    type: "request_ui_tree",
    format: "text",
    target: { selector: "nav" },
    maxTokens: 500,
  }),
  step({ type: "evaluate", code: "cart.textContent" }),
];
