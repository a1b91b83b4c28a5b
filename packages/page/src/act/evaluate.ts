import { BridgeError } from "@debug-bridge/protocol";
import { describeError } from "../app-data.js";

type Runner = () => unknown;
type Compile = new (...args: string[]) => (...args: unknown[]) => unknown;

const AsyncFunction = (async () => {}).constructor as Compile;

/**
 * Turns code into a function that runs it once. Compiling alone decides how it must be run: as an expression, else as
 * statements whose last value counts (as `eval` has it), else as the body of an async function, with `return` and
 * `await`. Throws `evaluation_failed` for what does not compile.
 *
 * @example await compileCode("await fetch('/x').then((r) => r.status)")()
 * @example await compileCode("const n = 2; return n * 2")()
 */
export function compileCode(code: string): Runner {
  const expression = tryCompile(`return (\n${code}\n)`);
  if (expression.fn && !tryCompile(`void 0;\n${code}\n`).error) return () => expression.fn?.();
  // A static block allows neither return nor await, so what compiles in it has a last value that eval can give.
  if (!tryCompile(`(class { static {\n${code}\n} })`).error) {
    const run = new Function("code", "return eval(code)") as (code: string) => unknown;
    return () => run(code);
  }
  const body = tryCompile(code);
  if (body.fn) return () => body.fn?.();
  if (expression.fn) return () => expression.fn?.();
  throw new BridgeError("evaluation_failed", describeError(body.error));
}

function tryCompile(source: string): { fn?: () => unknown; error?: unknown } {
  try {
    return { fn: new AsyncFunction(source) };
  } catch (error) {
    if ((error as Error).name === "EvalError") {
      throw new BridgeError(
        "evaluation_failed",
        "the page's Content Security Policy forbids evaluating code; allow 'unsafe-eval' in development",
      );
    }
    return { error };
  }
}

/** Runs code exactly once and awaits its value. What it throws becomes `evaluation_failed`. */
export async function evaluate(code: string): Promise<unknown> {
  const run = compileCode(code);
  try {
    return await run();
  } catch (thrown) {
    const name = (thrown as Error | undefined)?.name;
    const message = describeError(thrown);
    const text = name && name !== "Error" && thrown instanceof Error ? `${name}: ${message}` : message;
    throw new BridgeError("evaluation_failed", text);
  }
}
