type Data = Readonly<Record<string, unknown>>;

/** What an agent answered to a command. */
export interface AgentOutcome {
  readonly success: boolean;
  readonly error?: string;
  readonly code?: string;
  readonly data?: unknown;
}

/** codi's answer to a command of ours, in our words. */
export function answerFromCodi(type: string, outcome: AgentOutcome): AgentOutcome {
  if (!outcome.success) return outcome;
  const data = fieldsOf(outcome.data);
  if (data.success === false || data.removed === false)
    return {
      success: false,
      code: "target_not_found",
      error: `codi did not do it: ${JSON.stringify(outcome.data)}`,
    };
  const changed = dataFromCodi(type, data);
  return changed === undefined ? outcome : { ...outcome, data: changed };
}

function dataFromCodi(type: string, data: Data): Data | undefined {
  switch (type) {
    case "breakpoint":
      if (Array.isArray(data.breakpoints)) return { breakpoints: data.breakpoints.map(breakpointFromCodi) };
      if (typeof data.bpType === "string")
        return { id: data.id, breakpoint: breakpointFromCodi({ ...data, type: data.bpType }) };
      return undefined;
    case "checkpoint":
      return { ...data, checkpoint: data.id };
    case "rewind":
      return { checkpoint: data.checkpointId };
    case "branch":
      return { checkpoint: data.checkpointId, branch: data.name };
    default:
      return undefined;
  }
}

function breakpointFromCodi(value: unknown): Data {
  const { id, type, condition, enabled = true, hitCount } = fieldsOf(value);
  const subject = condition ?? (type === "error" ? "error" : "");
  return { id, type, condition: subject, enabled, hits: typeof hitCount === "number" ? hitCount : 0 };
}

const OUR_NAMES: Readonly<Record<string, string>> = {
  breakpoint_add: "breakpoint",
  breakpoint_remove: "breakpoint",
  breakpoint_clear: "breakpoint",
  breakpoint_list: "breakpoint",
  checkpoint_create: "checkpoint",
  branch_create: "branch",
};

/** The data of an event of codi, in our words. */
export function eventFromCodi(type: string, value: unknown): unknown {
  const data = fieldsOf(value);
  if (type === "command_response") {
    const name = OUR_NAMES[String(data.type)] ?? String(data.type);
    const outcome = { success: data.success !== false && data.error === undefined, data: data.data };
    return { ...data, type: name, ...answerFromCodi(name, outcome) };
  }
  if (type !== "breakpoint_hit") return value;
  const { toolName, iteration, error } = fieldsOf(data.context);
  return {
    breakpoint: breakpointFromCodi(data.breakpoint),
    ...(typeof toolName === "string" ? { toolCall: { name: toolName } } : {}),
    ...(error === undefined ? {} : { message: error }),
    iteration,
  };
}

/** Our answer to a command in codi's words. */
export function answerToCodi(type: string, answer: unknown): unknown {
  const data = fieldsOf(answer);
  const breakpoint = fieldsOf(data.breakpoint);
  switch (type) {
    case "breakpoint_add":
      return { id: data.id, bpType: breakpoint.type, condition: breakpoint.condition };
    case "breakpoint_remove":
      return { id: breakpoint.id, removed: true };
    case "breakpoint_list":
      return {
        breakpoints: (Array.isArray(data.breakpoints) ? data.breakpoints : []).map((one) => {
          const { id, type: kind, condition, enabled, hits } = fieldsOf(one);
          return { id, type: kind, condition, enabled, hitCount: hits };
        }),
      };
    case "checkpoint_create":
      return { id: data.checkpoint, label: data.label, iteration: data.iteration };
    case "rewind":
      return { checkpointId: data.checkpoint, success: true };
    case "branch_create":
      return { checkpointId: data.checkpoint, name: data.session, success: true };
    default:
      return answer;
  }
}

/**
 * Reads the answers to commands from an agent's events. codi reports a command that it does not know as an `error` before the
 * `command_executed` of that command, which then does not mean success.
 */
export class AnswerReader {
  private refusal: string | undefined;

  /** The answer in an event. `isResponse`: it is the whole answer, and not only the news that the command was executed. */
  read(
    type: string,
    value: unknown,
  ): (AgentOutcome & { commandId: string; isResponse: boolean }) | undefined {
    const data = fieldsOf(value);
    if (type === "error" && data.context === "command_handler") {
      this.refusal = typeof data.message === "string" ? data.message : "the agent refused the command";
      return undefined;
    }
    if (type !== "command_response" && type !== "command_executed") return undefined;
    const { refusal } = this;
    if (type === "command_executed") this.refusal = undefined;
    const { commandId } = data;
    if (typeof commandId !== "string") return undefined;
    if (type === "command_executed")
      return refusal === undefined
        ? { commandId, success: true, isResponse: false }
        : { commandId, success: false, error: refusal, code: "not_supported", isResponse: true };
    return {
      ...data,
      commandId,
      success: data.success !== false && data.error === undefined,
      isResponse: true,
    };
  }
}

/** Whether an agent refused a command because it does not know its name. */
export const isUnknownCommand = ({ success, error }: AgentOutcome): boolean =>
  !success && error !== undefined && error.startsWith("Unknown command type");

function fieldsOf(value: unknown): Data {
  return typeof value === "object" && value !== null ? (value as Data) : {};
}
