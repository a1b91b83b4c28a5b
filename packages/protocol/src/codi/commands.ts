/** A command in anybody's words. */
export interface PlainCommand {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Data = Readonly<Record<string, unknown>>;

/** Commands that codi answers by events only. */
const WITHOUT_RESPONSE = new Set(["pause", "resume", "step"]);

/** Whether codi sends a `command_response` to a command that it knows. */
export const codiResponds = (type: string): boolean => !WITHOUT_RESPONSE.has(type);

/**
 * A command in the words of codi, an agent with the same files and other names. A text says why codi cannot do it.
 *
 * @example toCodi("checkpoint", { label: "a" }) // { type: "checkpoint_create", data: { label: "a" } }
 */
export function toCodi(type: string, data: Data = {}): PlainCommand | string {
  switch (type) {
    case "breakpoint":
      return breakpointToCodi(data);
    case "checkpoint":
      return { type: "checkpoint_create", data };
    case "rewind":
      return { type, data: { checkpointId: data.checkpoint } };
    case "branch":
      return {
        type: "branch_create",
        data: { checkpointId: data.checkpoint, name: data.name ?? `from-${data.checkpoint}-${Date.now()}` },
      };
    case "set_variable":
      return "codi cannot set variables or inputs";
    case "cancel_tool":
      return "codi cannot cancel a tool call; pause it before the call with a breakpoint on the tool";
    default:
      return { type, data };
  }
}

function breakpointToCodi(data: Data): PlainCommand | string {
  switch (data.action) {
    case "add":
      return addToCodi(data);
    case "list":
      return { type: "breakpoint_list", data: {} };
    case "clear":
      return { type: "breakpoint_remove", data: { id: data.id } };
    case "clear-all":
      return { type: "breakpoint_clear", data: {} };
    default:
      return "codi cannot switch a breakpoint on or off; clear it and add it again";
  }
}

function addToCodi({ on, name, count, regex, ...options }: Data): PlainCommand | string {
  if (on === "event") return "codi has no breakpoints on events; use tool, iteration, pattern or error";
  for (const option of ["condition", "hitCount", "once", "deadlineMs"])
    if (options[option] !== undefined) return `codi has no breakpoints with ${option}; leave it out`;
  const condition = name ?? count ?? regex;
  return { type: "breakpoint_add", data: { type: on, ...(condition === undefined ? {} : { condition }) } };
}

/** A command that was given in codi's words, in ours; undefined if it is not one of those that differ. */
export function fromCodi(type: unknown, data: unknown): PlainCommand | undefined {
  const fields = (typeof data === "object" && data !== null ? data : {}) as Data;
  switch (type) {
    case "breakpoint_add":
      return { type: "breakpoint", data: { action: "add", ...subjectFromCodi(fields) } };
    case "breakpoint_remove":
      return { type: "breakpoint", data: { action: "clear", id: fields.id } };
    case "breakpoint_clear":
      return { type: "breakpoint", data: { action: "clear-all" } };
    case "breakpoint_list":
      return { type: "breakpoint", data: { action: "list" } };
    case "checkpoint_create":
      return { type: "checkpoint", data: fields.label === undefined ? {} : { label: fields.label } };
    case "rewind":
      return fields.checkpointId === undefined
        ? undefined
        : { type, data: { checkpoint: fields.checkpointId } };
    case "branch_create":
      return { type: "branch", data: { checkpoint: fields.checkpointId } };
    default:
      return undefined;
  }
}

function subjectFromCodi({ type, condition }: Data): Data {
  switch (type) {
    case "iteration":
      return { on: type, count: Number(condition) };
    case "pattern":
      return { on: type, regex: condition };
    case "error":
      return { on: type };
    default:
      return { on: type, name: condition };
  }
}
