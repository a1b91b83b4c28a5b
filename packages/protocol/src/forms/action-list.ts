import { BridgeError } from "../errors.js";
import { MAX_ACTIONS } from "../limits.js";

/**
 * The commands of a list of actions. All are read before any is run, so that a wrong one changes nothing.
 *
 * @example readActionList([{ type: "click" }], (action) => readCommand(action))
 */
export function readActionList<Command>(actions: unknown, read: (action: unknown) => Command): Command[] {
  if (!Array.isArray(actions) || actions.length === 0 || actions.length > MAX_ACTIONS)
    throw new BridgeError("invalid_message", `actions must be a list of 1 to ${MAX_ACTIONS} commands`, {
      field: "actions",
    });
  return actions.map((action, i) => {
    try {
      return read(action);
    } catch (thrown) {
      const { code, message, details } = BridgeError.from(thrown);
      const field = [`actions.${i}`, details?.field].filter(Boolean).join(".");
      throw new BridgeError(code, `action ${i + 1}: ${message}; nothing was done`, { ...details, field });
    }
  });
}
