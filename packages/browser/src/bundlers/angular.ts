import { AngularServer } from "../plugin/angular/angular-server.js";
import type { PluginOptions } from "../plugin/options.js";

const PAGE_MODULE = "@debug-bridge/browser/angular-client";
const DEV_SERVER = "@angular/build:dev-server";

type Options = Record<string, unknown>;

/** The part of what Angular gives a builder that is used here. */
interface BuilderContext {
  readonly workspaceRoot: string;
  readonly logger: { info(line: string): void };
  getTargetOptions(target: unknown): Promise<Options & { readonly polyfills?: string | string[] }>;
  validateOptions(options: Options, builder: string): Promise<Options>;
}

interface Output {
  readonly success: boolean;
  readonly baseUrl?: string;
}

interface AngularBuild {
  executeDevServerBuilder(
    options: Options,
    context: BuilderContext,
    extensions: { indexHtmlTransformer(html: string): Promise<string> },
  ): AsyncIterable<Output>;
}

interface Architect {
  createBuilder(
    run: (
      options: Options & { debugBridge?: PluginOptions },
      context: BuilderContext,
    ) => AsyncIterable<Output>,
  ): unknown;
}

type Require = ((name: string) => unknown) & { resolve(name: string): string };

const { process } = globalThis as unknown as {
  process: {
    cwd(): string;
    getBuiltinModule(name: string): { createRequire(from: string): Require };
  };
};
const { createRequire } = process.getBuiltinModule("node:module");
// A builder is loaded at once, by the project that uses it.
const ofProject = createRequire(`${process.cwd()}/package.json`);
const { createBuilder } = createRequire(ofProject.resolve("@angular/build/package.json"))(
  "@angular-devkit/architect",
) as Architect;

/**
 * A builder for `ng serve`: the development server of Angular, with the bridge in every page.
 *
 * @example
 * // angular.json, at "serve"
 * { "builder": "@debug-bridge/browser:dev-server", "options": { "debugBridge": { "sessionId": "shop" } } }
 */
// biome-ignore lint/style/noDefaultExport: where Angular looks for a builder
export default createBuilder(async function* ({ debugBridge = {}, ...options }, context) {
  const { executeDevServerBuilder } = ofProject("@angular/build") as AngularBuild;
  const valid = await context.validateOptions(options, DEV_SERVER);
  if (debugBridge.development === false) {
    yield* executeDevServerBuilder(valid, context, { indexHtmlTransformer: async (html) => html });
    return;
  }
  const server = new AngularServer(debugBridge, debugBridge.root ?? context.workspaceRoot);
  const extensions = {
    indexHtmlTransformer: async (html: string): Promise<string> => withSettings(html, await server.page()),
  };
  for await (const output of executeDevServerBuilder(valid, withPageModule(context), extensions)) {
    if (output.success)
      void server.onBuilt(output.baseUrl, (line) => context.logger.info(line)).catch(() => {});
    yield output;
  }
});

/** Has the build put the page's module before the app, as a polyfill is. */
function withPageModule(context: BuilderContext): BuilderContext {
  return {
    ...context,
    getTargetOptions: async (target) => {
      const options = await context.getTargetOptions(target);
      return { ...options, polyfills: [PAGE_MODULE, ...[options.polyfills ?? []].flat()] };
    },
  };
}

/** The document with what its module has to know. */
function withSettings(html: string, settings: object): string {
  const text = JSON.stringify(settings).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return html.replace(/<head[^>]*>/i, (head) => `${head}<meta name="debug-bridge" content="${text}">`);
}
