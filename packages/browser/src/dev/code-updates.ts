import type { EditContext, EditWatch } from "@debug-bridge/page/edit";

/** What the module that a plugin puts into a page reports of the bundler's hot updates. */
export class CodeUpdates {
  private watch: EditWatch | undefined;
  private missed: string[] = [];
  /** Edits that were announced to the page, and that had no effect yet. */
  private expected: string[] = [];
  private part: Promise<typeof import("@debug-bridge/page/edit")> | undefined;

  /** Loads the part of the engine that observes edits. */
  load(): Promise<typeof import("@debug-bridge/page/edit")> {
    this.part ??= import("@debug-bridge/page/edit");
    return this.part;
  }

  /** The engine is there. Of updates before that it can only be said that they happened. */
  attach(watch: EditWatch): void {
    this.watch?.stop();
    this.watch = watch;
    for (const edit of this.expected) watch.expect(edit);
    if (this.missed.length > 0) watch.miss(this.missed);
    this.missed = [];
  }

  expect(edit: string): void {
    this.expected.push(edit);
    this.watch?.expect(edit);
  }

  before(): void {
    this.watch?.before();
  }

  /** `isDone`: the new code has run and rendered, as far as can be known. */
  after(edits: readonly string[], isDone = true): void {
    this.expected = [];
    if (this.watch) this.watch.after(edits, isDone);
    else this.missed.push(...edits);
  }
}

let updates: CodeUpdates | undefined;

/** The updates of this page. Called by the plugin's module before the engine is loaded. */
export function codeUpdates(): CodeUpdates {
  updates ??= new CodeUpdates();
  return updates;
}

/** Has an engine follow the updates of the page, where there is a plugin that reports them. */
export function followUpdates(context: EditContext): void {
  const followed = updates;
  followed?.load().then(
    ({ watchEdits }) => followed.attach(watchEdits(context)),
    () => {},
  );
}
