import { agentRequirements } from "./requirements/agent.js";
import { appRequirements } from "./requirements/app.js";
import { architectureRequirements } from "./requirements/architecture.js";
import { consoleRequirements } from "./requirements/console.js";
import { relayRequirements } from "./requirements/relay.js";
import type { Requirement } from "./requirements/requirement.js";
import { runnerRequirements } from "./requirements/runner.js";
import { runnerActionRequirements } from "./requirements/runner-actions.js";

export type { Requirement } from "./requirements/requirement.js";

/** Everything that Debug Bridge must do. */
export const requirements: readonly Requirement[] = [
  ...appRequirements,
  ...runnerRequirements,
  ...runnerActionRequirements,
  ...agentRequirements,
  ...consoleRequirements,
  ...relayRequirements,
  ...architectureRequirements,
];
