/** What an agent did in one step, without when and how long. */
export interface RunStep {
  readonly type: string;
  readonly sequence: number;
  /** What is compared: the same for steps that did the same. It is JSON: the type, and the members that make it up. */
  readonly key: string;
}

/** The fields of each type that make up what was done; ids and times differ from run to run. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  user_input: ["input", "content"],
  assistant_message: ["content"],
  tool_call_start: ["name", "input"],
  tool_result: ["name", "result", "isError"],
  error: ["message", "context"],
};

/** The step that an event is; nothing for events that are about how it ran. */
export function runStepOf(type: string, sequence: number, data: unknown): RunStep | undefined {
  const fields = Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
  if (!fields) return undefined;
  const given = (typeof data === "object" && data !== null ? data : {}) as Record<string, unknown>;
  const what = fields.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]);
  return { type, sequence, key: JSON.stringify([type, Object.fromEntries(what)]) };
}
