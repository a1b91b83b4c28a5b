import { PAGE_MODULE } from "./page-module.js";

/** Bundlers serve ids that begin like this as virtual modules. */
const RESOLVED = `\0${PAGE_MODULE}`;

/** The hooks of a plugin that resolve and load the module that connects a page. */
export interface VirtualModule {
  readonly resolveId: {
    readonly filter: { readonly id: RegExp };
    handler(id: string): string | undefined;
  };
  readonly load: {
    readonly filter: { readonly id: RegExp };
    handler(id: string): Promise<string | undefined>;
  };
}

export function virtualModule(code: () => Promise<string>): VirtualModule {
  return {
    resolveId: {
      filter: { id: /^virtual-debug-bridge$/ },
      // Older versions of Vite do not know filters.
      handler: (id) => (id === PAGE_MODULE ? RESOLVED : undefined),
    },
    load: {
      filter: { id: /virtual-debug-bridge$/ },
      handler: async (id) => (id.endsWith(PAGE_MODULE) ? code() : undefined),
    },
  };
}
