import { type Requirement, section } from "./requirement.js";

export const agentRequirements: readonly Requirement[] = [
  ...section("002 current state", [
    ["AGT-001", "The agent's events include `session_start` with provider and model, and `session_end`."],
    [
      "AGT-002",
      "User input, tool calls, API requests and responses, context compaction and errors are each an event.",
    ],
    [
      "AGT-003",
      "A tool call yields `tool_call_start` and `tool_call_end` with name, duration and `isError`.",
    ],
    [
      "AGT-004",
      "`api_request` carries `messageCount`; `api_response` carries `stopReason` and `durationMs`.",
    ],
  ]),
  ...section("002 phase 1.5", [
    [
      "AGT-005",
      "Each session has a folder `debug/sessions/<id>` with events.jsonl, commands.jsonl and session.json.",
    ],
    ["AGT-006", "A generated session id has the shape `debug_YYYYMMDD_HHMMSS_xxxx`."],
    ["AGT-007", "Two agents running at once write to two folders and never to each other's files."],
    ["AGT-008", "`debug/current` links to the session that started last."],
    ["AGT-009", "Where a link cannot be made, the session starts all the same."],
    ["AGT-010", "`debug/index.json` lists each live session with `id`, `pid`, `startTime` and `cwd`."],
    ["AGT-011", "A session whose process is gone leaves the index when the next one starts."],
    ["AGT-012", "The folder of a session whose process is gone stays on disk."],
    ["AGT-013", "A session that shuts down removes itself from the index."],
  ]),
  ...section("002 phase 2: commands", [
    ["AGT-014", "`pause` stops the loop before the next API call."],
    ["AGT-015", "`resume` lets a paused loop go on."],
    ["AGT-016", "`step` runs exactly one iteration and pauses again."],
    ["AGT-017", "`inspect` takes `what`: messages, context, tools or all."],
    ["AGT-018", "`inject_message` adds a message with role user or assistant to the conversation."],
    ["AGT-019", "`set_variable` sets `key` of the agent's state to `value`."],
    ["AGT-020", "`cancel_tool` cancels the pending tool call that `toolId` names."],
  ]),
  ...section("002 phase 2.1", [
    ["AGT-021", "A command appended to commands.jsonl by any program is noticed and executed."],
    ["AGT-022", "Each command is executed once, in the order of the file."],
    ["AGT-023", "A command written in several pieces is executed only when its line is whole."],
    ["AGT-024", "Each executed command yields `command_executed` with `commandId` and `type`."],
    [
      "AGT-025",
      "An invalid line yields `error` with context `command_processing`, and later commands still run.",
    ],
    ["AGT-026", "After the watcher stopped, further commands are not executed."],
  ]),
  ...section("002 phase 2.2", [
    ["AGT-027", "Pausing emits one `paused` event and resuming one `resumed`, with nothing between them."],
    ["AGT-028", "A resumed loop continues as soon as the command is read, without a polling delay."],
    ["AGT-029", "After a step, `step_complete` carries the `iteration`."],
  ]),
  ...section("002 phase 2.3", [
    [
      "AGT-030",
      "A snapshot has `timestamp`, `sessionId`, `iteration`, `paused`, `provider` and `workingSet`.",
    ],
    ["AGT-031", "`messages` of a snapshot has `count`, the count per role, and the 3 newest messages."],
    ["AGT-032", "A message preview is at most 200 characters long."],
    ["AGT-033", "`context` has `tokenEstimate`, `maxTokens`, `hasSummary` and `summaryPreview`."],
    ["AGT-034", "A `summaryPreview` is at most 200 characters long."],
    ["AGT-035", "`tools` has the names of the `enabled` tools and their `count`."],
    [
      "AGT-036",
      "`inspect messages` returns neither `context` nor `tools`, and likewise for the other parts.",
    ],
    ["AGT-037", "`provider` of a snapshot has `name` and `model`."],
  ]),
  ...section("002 phase 2.4", [
    [
      "AGT-038",
      "`inspect` is answered by `command_response` with `commandId`, `type` and the snapshot as `data`.",
    ],
    ["AGT-039", "`inject_message` is answered by `command_response` with `success: true`."],
  ]),
  ...section("002 phase 3.1", [
    ["AGT-040", "`debug-bridge sessions` prints id, PID, start time and folder of each session."],
    ["AGT-041", "`debug-bridge sessions` without any session reports that and exits with 0."],
    [
      "AGT-042",
      "`debug-bridge agent watch` prints events as they arrive, of the current session by default.",
    ],
    ["AGT-043", "`--session ID` (`-s`) directs watch and every command to that session."],
    ["AGT-044", "`watch --types a,b` prints only events of the listed types."],
    ["AGT-045", "`debug-bridge agent pause`, `resume` and `step` each append their command."],
    ["AGT-046", "`debug-bridge agent inspect [what]` asks for `all` when `what` is missing."],
    ["AGT-047", "`debug-bridge agent inject ROLE CONTENT` appends an `inject_message` command."],
    ["AGT-048", "A sent command is one line with `type`, a unique `id`, `data` and an ISO `timestamp`."],
    ["AGT-049", "A sent command is confirmed to the person with its type."],
    ["AGT-050", "`debug-bridge agent attach` shows events and accepts commands in one interactive view."],
    [
      "AGT-051",
      "Without an active session a command fails with a message that explains how to start one; breakpoints and `pause` are kept for agents that start later.",
    ],
    ["AGT-052", "A printed event shows its local time and its type padded to 20 characters."],
    ["AGT-053", "A printed `tool_call_end` shows success or failure, the tool's name and the duration."],
    [
      "AGT-054",
      "A printed `session_start`, `api_request`, `api_response` and `error` each show their key data.",
    ],
    ["AGT-055", "A line that cannot be parsed is skipped by `watch`, which continues."],
  ]),
  ...section("002 phase 3.2", [
    ["AGT-056", "`breakpoint` add with `on: tool` pauses before a call of the named tool."],
    ["AGT-057", "`breakpoint` add with `on: iteration` pauses at the iteration given by `count`."],
    [
      "AGT-058",
      "`breakpoint` add with `on: pattern` pauses when the regular expression matches the tool input's JSON.",
    ],
    ["AGT-059", "Adding a breakpoint returns an id that begins with `bp-` and is unique."],
    ["AGT-060", "`breakpoint` list returns all breakpoints with their ids and conditions."],
    ["AGT-061", "`breakpoint` clear removes the one with the given id only."],
    ["AGT-062", "`breakpoint` clear-all removes every breakpoint."],
    ["AGT-063", "`breakpoint_hit` carries the `breakpoint` and the `toolCall`."],
    ["AGT-064", "The tool of a hit breakpoint does not run until the agent is resumed."],
    ["AGT-065", "An invalid regular expression is refused and never stops the agent."],
  ]),
  ...section("002 phase 3.3", [
    ["AGT-066", "`debug-bridge agent replay FILE` prints the events of any events.jsonl."],
    ["AGT-067", "`replay --timed` keeps the recorded pauses between events."],
    ["AGT-068", "`replay --speed 2x` halves the recorded pauses."],
  ]),
  ...section("002 verification", [
    ["AGT-069", "A `pause` line written by hand into `current/commands.jsonl` pauses the agent."],
    ["AGT-070", "After one of two agents is killed, the index holds only the other."],
    [
      "AGT-071",
      "`sessions`, `watch`, `pause`, `resume` and `inspect all` work from another terminal on a live agent.",
    ],
  ]),
];
