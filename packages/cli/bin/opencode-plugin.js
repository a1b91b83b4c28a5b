import { spawn } from "node:child_process";

/** Runs a hook with its input. Resolves with its answer; with nothing when it has none, whatever the reason. */
function run(command, input) {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ["pipe", "pipe", "ignore"] });
    let text = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (data) => {
      text += data;
    });
    child.on("error", () => resolve({}));
    child.on("close", () => {
      try {
        resolve(JSON.parse(text));
      } catch {
        resolve({});
      }
    });
    // A hook that has ended does not read.
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(input));
  });
}

const textOf = (parts) =>
  parts
    .filter(({ type }) => type === "text")
    .map(({ text }) => text)
    .join("\n");

/**
 * The plugin of opencode: reports what the agent does as the hooks of other agents do, and does what they answer.
 *
 * @param commands the command of each hook, by the name that Claude Code has for it
 */
export function debugBridge(commands) {
  return async ({ directory }) => {
    const known = new Set();
    /** The session that works for another one, with that one. */
    const subagents = new Map();
    const ask = (name, sessionId, fields) => {
      const { parent = sessionId, type } = subagents.get(sessionId) ?? {};
      const subagent = parent === sessionId ? {} : { agent_id: sessionId, agent_type: type };
      const input = { hook_event_name: name, session_id: parent, cwd: directory, ...subagent, ...fields };
      return run(commands[name], input);
    };
    const addNote = ({ hookSpecificOutput = {} }, add) => {
      if (hookSpecificOutput.additionalContext) add(`\n\n${hookSpecificOutput.additionalContext}`);
    };
    const events = {
      "session.created": async ({ info }) => {
        if (info.parentID) subagents.set(info.id, { parent: info.parentID, type: info.agent ?? "subagent" });
      },
      "message.part.updated": async ({ part }) => {
        if (part.type !== "tool" || part.state.status !== "error") return;
        const { tool, callID, sessionID, state } = part;
        await ask("PostToolUseFailure", sessionID, {
          ...{ tool_name: tool, tool_use_id: callID, tool_input: state.input, error: state.error },
        });
      },
      "session.compacted": ({ sessionID }) => ask("PreCompact", sessionID, { trigger: "auto" }),
      // What a person injected waits for the next call: an idle session receives nothing.
      "session.idle": ({ sessionID }) => ask("Stop", sessionID, { stop_hook_active: true }),
      "session.deleted": ({ info }) => ask("SessionEnd", info.id, { reason: "deleted" }),
    };
    return {
      async event({ event }) {
        await events[event.type]?.(event.properties);
      },
      async "chat.message"({ sessionID }, { message, parts }) {
        const model = message.model?.modelID;
        if (!known.has(sessionID) && !subagents.has(sessionID))
          await ask("SessionStart", sessionID, { model, source: "startup" });
        known.add(sessionID);
        const answer = await ask("UserPromptSubmit", sessionID, { prompt: textOf(parts), model });
        const last = parts.findLast(({ type }) => type === "text");
        addNote(answer, (note) => {
          if (last) last.text += note;
        });
      },
      async "tool.execute.before"({ tool, sessionID, callID }, output) {
        const call = { tool_name: tool, tool_use_id: callID, tool_input: output.args };
        const { hookSpecificOutput = {} } = await ask("PreToolUse", sessionID, call);
        if (hookSpecificOutput.permissionDecision === "deny")
          throw new Error(hookSpecificOutput.permissionDecisionReason);
        if (!hookSpecificOutput.updatedInput) return;
        // The agent has this very object.
        for (const name of Object.keys(output.args)) delete output.args[name];
        Object.assign(output.args, hookSpecificOutput.updatedInput);
      },
      async "tool.execute.after"({ tool, sessionID, callID, args }, output) {
        const call = { tool_name: tool, tool_use_id: callID, tool_input: args };
        const exit = output.metadata?.exit;
        const answer = exit
          ? await ask("PostToolUseFailure", sessionID, {
              ...call,
              error: `Exit code ${exit}\n${output.output}`,
            })
          : await ask("PostToolUse", sessionID, { ...call, tool_response: output.output });
        addNote(answer, (note) => {
          output.output += note;
        });
      },
    };
  };
}
