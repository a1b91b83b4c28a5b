import { BridgeError } from "@debug-bridge/protocol";
import type { AiSdkModel } from "../ai-sdk/model.js";
import { requirePackages } from "./optional-packages.js";

interface ProviderSettings {
  readonly apiKey: string;
  readonly baseURL?: string;
}

interface Provider {
  /** The environment variable that holds its key. */
  readonly key: string;
  /** The model to use when none is named. */
  readonly model: string;
  /** The npm package to install beside `ai`. */
  readonly package: string;
  load(settings: ProviderSettings): Promise<(model: string) => AiSdkModel>;
}

/** Providers by name, in the order in which their keys are looked up. Each is loaded only when it is used. */
const PROVIDERS: Readonly<Record<string, Provider>> = {
  anthropic: {
    key: "ANTHROPIC_API_KEY",
    model: "claude-sonnet-4-5",
    package: "@ai-sdk/anthropic",
    load: async (settings) => (await import("@ai-sdk/anthropic")).createAnthropic(settings),
  },
  openai: {
    key: "OPENAI_API_KEY",
    model: "gpt-5",
    package: "@ai-sdk/openai",
    load: async (settings) => (await import("@ai-sdk/openai")).createOpenAI(settings),
  },
  google: {
    key: "GOOGLE_GENERATIVE_AI_API_KEY",
    model: "gemini-2.5-pro",
    package: "@ai-sdk/google",
    load: async (settings) => (await import("@ai-sdk/google")).createGoogleGenerativeAI(settings),
  },
  deepseek: {
    key: "DEEPSEEK_API_KEY",
    model: "deepseek-chat",
    package: "@ai-sdk/deepseek",
    load: async (settings) => (await import("@ai-sdk/deepseek")).createDeepSeek(settings),
  },
};

/** Sent only to the address in `baseUrl`, never to a provider. */
const OWN_KEY = "DEBUG_BRIDGE_MODEL_KEY";

export interface ModelChoice {
  /** `provider/name`; with a base URL the name alone is enough. */
  readonly model?: string;
  /** Address of the API: of the named provider, or of any server that speaks OpenAI's chat completions. */
  readonly baseUrl?: string;
}

export interface ChosenModel {
  readonly provider: string;
  readonly name: string;
  load(): Promise<AiSdkModel>;
}

const ON_COMMAND_LINE =
  "pass the address of a local model (--base-url http://127.0.0.1:11434/v1 --model NAME), or a script (--script turns.json)";

/**
 * Chooses a model: the named one, else the first whose key is in the environment. `otherwise` advises a person who has neither
 * how to name one.
 */
export function chooseModel(
  { model, baseUrl }: ModelChoice,
  env: NodeJS.ProcessEnv = process.env,
  otherwise = ON_COMMAND_LINE,
): ChosenModel {
  const [, prefix = "", rest = ""] = /^([^/]+)\/(.+)$/.exec(model ?? "") ?? [];
  const named = Object.hasOwn(PROVIDERS, prefix) ? prefix : undefined;
  if (baseUrl !== undefined && !URL.canParse(baseUrl))
    throw new BridgeError(
      "invalid_message",
      `"${baseUrl}" is not a URL; use one like http://127.0.0.1:11434/v1`,
    );
  if (named !== undefined) return ofProvider(named, rest, baseUrl, env);
  if (baseUrl !== undefined) return compatible(model, baseUrl, env);
  if (model !== undefined) {
    const known = Object.keys(PROVIDERS).map((name) => `${name}/NAME`);
    throw new BridgeError(
      "not_supported",
      `unknown provider of the model "${model}"; use ${known.join(", ")}, or pass the address of its API with --base-url`,
    );
  }
  const found = Object.entries(PROVIDERS).find(([, { key }]) => env[key]);
  if (found) return ofProvider(found[0], found[1].model, undefined, env);
  const keys = Object.values(PROVIDERS).map(({ key }) => key);
  throw new BridgeError(
    "auth_required",
    `no model is configured: set ${keys.slice(0, -1).join(", ")} or ${keys.at(-1)}, ${otherwise}`,
  );
}

function ofProvider(
  provider: string,
  name: string,
  baseURL: string | undefined,
  env: NodeJS.ProcessEnv,
): ChosenModel {
  const { key, load, package: sdk } = PROVIDERS[provider] as Provider;
  const apiKey = env[key];
  if (!apiKey) throw new BridgeError("auth_required", `${provider}/${name} needs a key: set ${key}`);
  requirePackages(`${provider}/${name}`, ["ai", sdk]);
  const settings = { apiKey, ...(baseURL === undefined ? {} : { baseURL }) };
  return { provider, name, load: async () => (await load(settings))(name) };
}

function compatible(name: string | undefined, baseURL: string, env: NodeJS.ProcessEnv): ChosenModel {
  if (name === undefined)
    throw new BridgeError("invalid_message", `no model is named for ${baseURL}; pass --model NAME`);
  requirePackages(`the model ${name}`, ["ai", "@ai-sdk/openai-compatible"]);
  const apiKey = env[OWN_KEY];
  const provider = new URL(baseURL).host;
  return {
    provider,
    name,
    load: async () => {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({ name: provider, baseURL, ...(apiKey ? { apiKey } : {}) })(name);
    },
  };
}
