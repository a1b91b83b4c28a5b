/// <reference types="chrome" />
import { readConfig } from "../connection/config.js";
import {
  applyChange,
  DEFAULT_INSTALLED,
  readSettings,
  SETTINGS_BEFORE_LOAD,
  type Settings,
  type SettingsChange,
} from "./settings.js";

const KEYS = ["hub", "otherHubs", "sites", "share", "access", "visible", "grants"] as const;
type Key = (typeof KEYS)[number];

/**
 * The settings in force: the only copy that anybody decides by. A change holds at once, then it is stored, then
 * `onChange` is called.
 */
export class SettingsStore {
  private settings = SETTINGS_BEFORE_LOAD;
  private installed = DEFAULT_INSTALLED;
  private writes = 0;
  private state: "loading" | "stale" | "loaded" = "loading";
  private problem: string | undefined;
  readonly loaded: Promise<void>;

  constructor(private readonly onChange: (changed: ReadonlySet<Key>) => void) {
    chrome.storage.onChanged.addListener((changes, area) => {
      // Our own writes are already in force, and their events may be older than the newest change.
      if (area !== "local" || this.writes > 0) return;
      if (this.state !== "loaded") {
        this.state = "stale";
        return;
      }
      // Whether the person chose what is shared is known only from what is stored.
      const { automation, share, ...rest } = this.settings;
      const newer: Record<string, unknown> = { ...rest, ...(automation ? {} : { share }) };
      for (const key of KEYS) if (changes[key]) newer[key] = changes[key].newValue;
      this.replace(readSettings(newer, this.installed));
    });
    this.loaded = this.load();
  }

  get current(): Settings {
    return this.settings;
  }

  /** Why the last change could not be stored. */
  get lastProblem(): string | undefined {
    return this.problem;
  }

  async set(change: SettingsChange): Promise<void> {
    await this.loaded;
    const before = this.settings;
    const after = applyChange(before, change);
    const changed = differences(before, after);
    if (changed.size === 0) return;
    this.settings = after;
    this.writes++;
    try {
      await chrome.storage.local.set(Object.fromEntries([...changed].map((key) => [key, after[key]])));
      this.problem = undefined;
    } catch (thrown) {
      this.problem = `The change could not be stored: ${(thrown as Error).message}`;
      this.settings = readSettings(await chrome.storage.local.get([...KEYS]), this.installed);
    } finally {
      this.writes--;
    }
    this.onChange(changed);
  }

  private replace(settings: Settings): void {
    const changed = differences(this.settings, settings);
    this.settings = settings;
    if (changed.size > 0) this.onChange(changed);
  }

  private async load(): Promise<void> {
    this.installed = await readConfig();
    do {
      this.state = "loading";
      this.settings = readSettings(await chrome.storage.local.get([...KEYS]), this.installed);
    } while (this.isStale());
    this.state = "loaded";
  }

  private isStale(): boolean {
    return this.state === "stale";
  }
}

function differences(before: Settings, after: Settings): Set<Key> {
  return new Set(KEYS.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key])));
}
