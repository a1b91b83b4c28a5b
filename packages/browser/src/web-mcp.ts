import { hookFunction, type Tools, type Unhook } from "@debug-bridge/page/capture";

/** A tool as a page registers it through WebMCP. */
interface WebMcpTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: Record<string, unknown>;
  execute(input: unknown, client?: unknown): unknown;
}

interface ModelContext {
  registerTool?(tool: WebMcpTool, options?: { signal?: AbortSignal }): unknown;
  unregisterTool?(name: string): unknown;
  provideContext?(context: { tools?: WebMcpTool[] }): unknown;
}

/** Offers the tools that a page registers through WebMCP (`modelContext` of document or navigator) to agents as well. */
export function followWebMcp(window: Window & typeof globalThis, tools: Tools): Unhook {
  const removers = new Map<string, () => void>();
  const register = (tool: WebMcpTool | undefined, signal?: AbortSignal): void => {
    if (!tool?.name || typeof tool.execute !== "function") return;
    removers.get(tool.name)?.();
    const { name, description, inputSchema } = tool;
    const remove = tools.register(
      { name, ...(description ? { description } : {}), ...(inputSchema ? { inputSchema } : {}) },
      (input) => tool.execute(input ?? {}),
    );
    removers.set(name, remove);
    signal?.addEventListener("abort", remove, { once: true });
  };
  const forget = (name: string): void => {
    removers.get(name)?.();
    removers.delete(name);
  };
  const contexts = new Set<ModelContext | undefined>([
    (window.document as Document & { modelContext?: ModelContext }).modelContext,
    (window.navigator as Navigator & { modelContext?: ModelContext }).modelContext,
  ]);
  const unhooks = [...contexts].flatMap((context) => {
    if (!context) return [];
    const after = (key: keyof ModelContext, run: (args: unknown[]) => void): Unhook =>
      hookFunction(context as Record<keyof ModelContext, unknown>, key, {
        call(original, self, args) {
          const result = Reflect.apply(original, self, args);
          run(args);
          return result;
        },
      });
    return [
      after("registerTool", ([tool, options]) =>
        register(tool as WebMcpTool, (options as { signal?: AbortSignal } | undefined)?.signal),
      ),
      after("unregisterTool", ([name]) => forget(String(name))),
      after("provideContext", ([provided]) => {
        for (const name of [...removers.keys()]) forget(name);
        for (const tool of (provided as { tools?: WebMcpTool[] } | undefined)?.tools ?? []) register(tool);
      }),
    ];
  });
  return () => {
    for (const unhook of unhooks) unhook();
    for (const remove of removers.values()) remove();
  };
}
