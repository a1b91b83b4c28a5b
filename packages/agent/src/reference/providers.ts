import { BridgeError } from "@debug-bridge/protocol";
import type { AiSdkModel } from "../ai-sdk/model.js";

interface ProviderSettings {
  readonly apiKey: string;
  readonly baseURL?: string;
}

interface Provider {
  /** The variable that holds its key. */
  readonly key: string;
  /** The model that is taken when none is named. */
  readonly model: string;
  load(settings: ProviderSettings): Promise<(model: string) => AiSdkModel>;
}

/** Providers by name, in the order in which their keys are looked for. Each is loaded only when it is used. */
const PROVIDERS: Readonly<Record<string, Provider>> = {
  anthropic: {
    key: "ANTHROPIC_API_KEY",
    model: "claude-sonnet-4-5",
    load: async (settings) => (await import("@ai-sdk/anthropic")).createAnthropic(settings),
  },
  openai: {
    key: "OPENAI_API_KEY",
    model: "gpt-5",
    load: async (settings) => (await import("@ai-sdk/openai")).createOpenAI(settings),
  },
  google: {
    key: "GOOGLE_GENERATIVE_AI_API_KEY",
    model: "gemini-2.5-pro",
    load: async (settings) => (await import("@ai-sdk/google")).createGoogleGenerativeAI(settings),
  },
  deepseek: {
    key: "DEEPSEEK_API_KEY",
    model: "deepseek-chat",
    load: async (settings) => (await import("@ai-sdk/deepseek")).createDeepSeek(settings),
  },
};

/** Sent to an address of one's own, and to no provider. */
const OWN_KEY = "DEBUG_BRIDGE_MODEL_KEY";

export interface ModelChoice {
  /** `provider/name`; with a base URL, also the name alone. */
  readonly model?: string;
  /** Address of the API: of the provider that is named, else of any that speaks as OpenAI's chat completions do. */
  readonly baseUrl?: string;
}

export interface ChosenModel {
  readonly provider: string;
  readonly name: string;
  load(): Promise<AiSdkModel>;
}

/** The model that is meant: the one that is named, else the first whose key is in the environment. */
export function chooseModel(
  { model, baseUrl }: ModelChoice,
  env: NodeJS.ProcessEnv = process.env,
): ChosenModel {
  const [, prefix = "", rest = ""] = /^([^/]+)\/(.+)$/.exec(model ?? "") ?? [];
  const named = Object.hasOwn(PROVIDERS, prefix) ? prefix : undefined;
  if (baseUrl !== undefined && !URL.canParse(baseUrl))
    throw new BridgeError("invalid_message", `${baseUrl} is no URL; it looks like http://127.0.0.1:11434/v1`);
  if (named !== undefined) return ofProvider(named, rest, baseUrl, env);
  if (baseUrl !== undefined) return compatible(model, baseUrl, env);
  if (model !== undefined) {
    const there = Object.keys(PROVIDERS).map((name) => `${name}/NAME`);
    throw new BridgeError(
      "not_supported",
      `no provider is known for the model "${model}"; name one of ${there.join(", ")}, or its address with --base-url`,
    );
  }
  const found = Object.entries(PROVIDERS).find(([, { key }]) => env[key]);
  if (found) return ofProvider(found[0], found[1].model, undefined, env);
  const keys = Object.values(PROVIDERS).map(({ key }) => key);
  throw new BridgeError(
    "auth_required",
    `no model to ask: set ${keys.slice(0, -1).join(", ")} or ${keys.at(-1)}, give the address of a local one (--base-url http://127.0.0.1:11434/v1 --model NAME), or its answers (--script turns.json)`,
  );
}

function ofProvider(
  provider: string,
  name: string,
  baseURL: string | undefined,
  env: NodeJS.ProcessEnv,
): ChosenModel {
  const { key, load } = PROVIDERS[provider] as Provider;
  const apiKey = env[key];
  if (!apiKey) throw new BridgeError("auth_required", `${provider}/${name} needs a key: set ${key}`);
  const settings = { apiKey, ...(baseURL === undefined ? {} : { baseURL }) };
  return { provider, name, load: async () => (await load(settings))(name) };
}

function compatible(name: string | undefined, baseURL: string, env: NodeJS.ProcessEnv): ChosenModel {
  if (name === undefined)
    throw new BridgeError("invalid_message", `which model of ${baseURL}? name it with --model`);
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
