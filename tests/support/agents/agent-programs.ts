import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../fixtures.js";

/** The real programs of agents, and the settings with which they use a stand-in as their model. */
const BIN = join(ROOT, "node_modules/.bin");
export const CLAUDE = join(BIN, "claude");
export const CODEX = join(BIN, "codex");
export const GEMINI = join(BIN, "gemini");

/** Its sandbox needs more of the system than a test machine may give; the commands are those of the test. */
export const CODEX_SANDBOX = "--dangerously-bypass-approvals-and-sandbox";

export function claudeEnvironment(model: string, config: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CONFIG_DIR: config,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // It refuses to skip permissions as root outside of one.
    IS_SANDBOX: "1",
  };
}

export function writeCodexConfig(codexHome: string, model: string, more = ""): void {
  writeFileSync(
    join(codexHome, "config.toml"),
    `model = "stand-in"
model_provider = "stand-in"
[model_providers.stand-in]
name = "stand-in"
base_url = "${model}/v1"
wire_api = "responses"
${more}`,
  );
}

export function geminiEnvironment(model: string, own: string, settings: object = {}): Record<string, string> {
  mkdirSync(join(own, ".gemini"));
  const auth = { security: { auth: { selectedType: "gemini-api-key" } } };
  writeFileSync(join(own, ".gemini/settings.json"), JSON.stringify({ ...auth, ...settings }));
  return {
    GEMINI_CLI_HOME: own,
    GEMINI_API_KEY: "none",
    GOOGLE_GEMINI_BASE_URL: model,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  };
}

/** Where opencode reads its settings. */
export const opencodeConfig = (own: string): string => join(own, "config", "opencode");

export function opencodeEnvironment(
  model: string,
  own: string,
  cwd: string,
  settings: object = {},
): Record<string, string> {
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "Stand-in",
    options: { baseURL: `${model}/v1`, apiKey: "none" },
    models: { "stand-in": { name: "stand-in" } },
  };
  const models = { model: "own/stand-in", small_model: "own/stand-in", provider: { own: provider } };
  const quiet = { autoupdate: false, share: "disabled", permission: "allow" };
  mkdirSync(opencodeConfig(own), { recursive: true });
  writeFileSync(
    join(opencodeConfig(own), "opencode.json"),
    JSON.stringify({ ...quiet, ...models, ...settings }),
  );
  return {
    HOME: own,
    // It believes this, and not the folder that it runs in.
    PWD: cwd,
    XDG_CONFIG_HOME: join(own, "config"),
    XDG_DATA_HOME: join(own, "data"),
    XDG_CACHE_HOME: join(own, "cache"),
    XDG_STATE_HOME: join(own, "state"),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  };
}
