import {
  BridgeError,
  type ChatProvider,
  type ProviderOutcome,
  type ProviderRun,
} from "@debug-bridge/protocol";
import { requirePackages } from "../../reference/optional-packages.js";
import { type ChatEnvironment, environmentOf } from "../environment.js";
import { firstError } from "../error-text.js";
import { findProgram } from "../find-program.js";
import { startProgram } from "../provider-process.js";
import { ACP_FILE, type AcpAgent, readAcpAgents } from "./agents.js";
import { AcpTurn } from "./turn.js";

/** The agents of the Agent Client Protocol that the person named in the home. */
export function acpProviders(environment: ChatEnvironment): ChatProvider[] {
  try {
    return readAcpAgents(environment.home).map((agent) => acpProvider(environment, agent));
  } catch (thrown) {
    const { message } = BridgeError.from(thrown);
    const refuse = (): never => {
      throw new BridgeError("not_supported", message);
    };
    return [{ name: "acp", title: ACP_FILE, problem: () => message, start: refuse }];
  }
}

/** The SDK of the protocol is not installed with Debug Bridge. */
function missingPackages(): string | undefined {
  try {
    requirePackages("an agent of the Agent Client Protocol", ["@agentclientprotocol/sdk"]);
    return undefined;
  } catch (thrown) {
    return BridgeError.from(thrown).message;
  }
}

function acpProvider(environment: ChatEnvironment, agent: AcpAgent): ChatProvider {
  const isPath = /[\\/]/.test(agent.command);
  const program = (): string | undefined => (isPath ? agent.command : findProgram(agent.command));
  return {
    name: `acp:${agent.name}`,
    title: agent.name,
    problem() {
      if (program() === undefined)
        return `${agent.command} is not installed; install it, or change "${agent.name}" in ${ACP_FILE} of the home`;
      return missingPackages();
    },
    start(request, onEvent): ProviderRun {
      const running = startProgram({
        command: program() ?? agent.command,
        args: agent.args,
        cwd: request.cwd,
        env: { ...environmentOf(environment, {}), ...agent.env },
      });
      const turn = new AcpTurn(agent, environment, request, onEvent);
      const early = running.exited.then(({ error, code, stderr }): ProviderOutcome => {
        const why = error?.message ?? firstError(stderr) ?? `it ended with code ${code}`;
        return { outcome: "failed", code: "tool_failed", message: `${agent.name}: ${why}` };
      });
      const done = Promise.race([turn.run(running.child), early]).then(async (outcome) => {
        await running.stop();
        return outcome;
      });
      return { pid: running.pid, done, stop: running.stop };
    },
  };
}
