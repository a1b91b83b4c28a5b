import { requirePackages } from "./optional-packages.js";

requirePackages("an agent with a model", ["ai"]);

export const { answeringModel, startModelAgent } = await import("./model-agent.js");
