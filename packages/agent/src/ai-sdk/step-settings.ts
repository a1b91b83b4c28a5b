import { BridgeError } from "@debug-bridge/protocol";

interface Setting {
  readonly takes: string;
  accepts(value: unknown, tools: readonly string[]): boolean;
}

/** Variables that change how the model is called, from the next step on. */
const SETTINGS: Readonly<Record<string, Setting>> = {
  system: { takes: "text", accepts: (value) => typeof value === "string" },
  temperature: { takes: "a number", accepts: (value) => typeof value === "number" && value >= 0 },
  maxOutputTokens: {
    takes: "a whole number from 1 on",
    accepts: (value) => Number.isInteger(value) && (value as number) >= 1,
  },
  activeTools: {
    takes: "a list of names of tools",
    accepts: (value, tools) => Array.isArray(value) && value.every((name) => tools.includes(name)),
  },
  toolChoice: {
    takes: '"auto", "none", "required" or {"type": "tool", "toolName": NAME}',
    accepts: (value, tools) =>
      ["auto", "none", "required"].includes(value as string) ||
      (typeof value === "object" && value !== null && isToolChoice(value, tools)),
  },
};

/** What `set_variable` changed of the settings of a step. */
export class StepSettings {
  private readonly set = new Map<string, unknown>();

  constructor(private readonly tools: readonly string[]) {}

  /** Takes a variable that is a setting; `null` gives it back its usual value. Others are not its matter. */
  change(key: string, value: unknown): void {
    const setting = Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined;
    if (!setting) return;
    if (value === null) {
      this.set.delete(key);
      return;
    }
    if (!setting.accepts(value, this.tools)) {
      const there = /tools?$|^tool/i.test(key) ? `; the tools are: ${this.tools.join(", ") || "none"}` : "";
      throw new BridgeError("invalid_message", `${key} takes ${setting.takes}${there}`, { field: "value" });
    }
    this.set.set(key, value);
  }

  /** The settings that were changed. */
  current(): Record<string, unknown> {
    return Object.fromEntries(this.set);
  }
}

function isToolChoice(value: object, tools: readonly string[]): boolean {
  const { type, toolName } = value as { type?: unknown; toolName?: unknown };
  return type === "tool" && tools.includes(toolName as string);
}
