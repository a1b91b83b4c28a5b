import { BridgeError } from "@debug-bridge/protocol";

interface Setting {
  readonly expected: string;
  accepts(value: unknown, tools: readonly string[]): boolean;
}

/** Variables that change the model call, from the next step on. */
const SETTINGS: Readonly<Record<string, Setting>> = {
  system: { expected: "text", accepts: (value) => typeof value === "string" },
  temperature: {
    expected: "a number of at least 0",
    accepts: (value) => typeof value === "number" && value >= 0,
  },
  maxOutputTokens: {
    expected: "a whole number of at least 1",
    accepts: (value) => Number.isInteger(value) && (value as number) >= 1,
  },
  activeTools: {
    expected: "a list of tool names",
    accepts: (value, tools) => Array.isArray(value) && value.every((name) => tools.includes(name)),
  },
  toolChoice: {
    expected: '"auto", "none", "required" or {"type": "tool", "toolName": NAME}',
    accepts: (value, tools) =>
      ["auto", "none", "required"].includes(value as string) ||
      (typeof value === "object" && value !== null && isToolChoice(value, tools)),
  },
};

/** The step settings that `set_variable` changed. */
export class StepSettings {
  private readonly set = new Map<string, unknown>();

  constructor(private readonly tools: readonly string[]) {}

  /** Changes a setting; `null` resets it. Ignores variables that are not settings. */
  change(key: string, value: unknown): void {
    const setting = Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined;
    if (!setting) return;
    if (value === null) {
      this.set.delete(key);
      return;
    }
    if (!setting.accepts(value, this.tools)) {
      const names = /tools?$|^tool/i.test(key) ? `; the tools are: ${this.tools.join(", ") || "none"}` : "";
      throw new BridgeError("invalid_message", `${key} must be ${setting.expected}${names}`, {
        field: "value",
      });
    }
    this.set.set(key, value);
  }

  /** The changed settings. */
  current(): Record<string, unknown> {
    return Object.fromEntries(this.set);
  }
}

function isToolChoice(value: object, tools: readonly string[]): boolean {
  const { type, toolName } = value as { type?: unknown; toolName?: unknown };
  return type === "tool" && tools.includes(toolName as string);
}
