/** What not every session needs: each part is loaded when a command first needs it. */
export interface Parts {
  readonly act: Pick<typeof import("./act.js"), "act">;
  readonly find: Pick<typeof import("./rare-command.js"), "runRareCommand">;
  readonly record: Pick<typeof import("./record.js"), "record">;
  readonly causes: Pick<typeof import("./causes.js"), "causes">;
  readonly point: Pick<typeof import("./point.js"), "point">;
  readonly replay: Pick<typeof import("./watch.js"), "watch" | "pageSnapshot">;
  readonly source: typeof import("../source/part.js");
  readonly component: Pick<typeof import("../component/component-lines.js"), "componentLines">;
}

/** Loads a part by its name. A part that was loaded before is returned at once; a load that failed is tried again. */
export type LoadPart = <Name extends keyof Parts>(name: Name) => Promise<Parts[Name]>;
