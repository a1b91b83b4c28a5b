/**
 * Code that runs in worlds which a page controls: saved globals, the serialiser, and the masking of secrets. It runs
 * no code of the page, looks up nothing that the page could have replaced, and does bounded work. The SDK, the driver
 * and the extension use it, so that the same value reads the same no matter what captured it.
 */
export { CallIdentity, currentCallId, eventCallId } from "./call-identity.js";
export * from "./natives.js";
export { isSecretInFormat } from "./secrets/format-secrets.js";
export { type Hides, maskText } from "./secrets/mask-text.js";
export { isSecretName } from "./secrets/secret-names.js";
export { bigintDigits, numberText } from "./serialize/builtin-formatters.js";
export { classNameOf, functionName } from "./serialize/class-of.js";
export { serializeArguments } from "./serialize/console-arguments.js";
export { errorStack, errorText, looksLikeError } from "./serialize/errors.js";
export { plainData, plainText } from "./serialize/plain-data.js";
export { reactiveTarget, untracked } from "./serialize/reactive.js";
export { serialize } from "./serialize/serialize.js";
export {
  type Censor,
  createBudget,
  defaultCensor,
  type SerializeBudget,
  type SerializeLimits,
  type SerializeOptions,
} from "./serialize/serialize-budget.js";
export { cut, quote } from "./text.js";
