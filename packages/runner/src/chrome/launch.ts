import type { RunnerConfig } from "@debug-bridge/protocol";
import type { Browser, Target } from "puppeteer-core";
import type { ActionLogs } from "../report/logs.js";
import { findChrome } from "./find.js";
import { noChrome } from "./install-steps.js";
import { acquireProfile, markOwner, type Profile, type ProfileOptions, releaseProfile } from "./profile.js";
import { whyNotLaunched } from "./why-not-launched.js";

const LAUNCH_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 5_000;

/** No prompts, no restored tabs, no background requests. */
const ARGUMENTS = [
  "--no-first-run",
  "--no-default-browser-check",
  "--hide-crash-restore-bubble",
  "--disable-session-crashed-bubble",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * A Chrome without a window starts faster without extra processes for drawing, network and a spare page, and without the
 * drop-down of its address bar, a page that costs more than the page that is driven.
 */
const HEADLESS_ARGUMENTS = [
  "--in-process-gpu",
  "--enable-features=NetworkServiceInProcess2",
  "--disable-features=SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup",
];

/** A browser with the page that is driven. */
export interface OpenChrome {
  readonly browser: Browser;
  readonly target: Target;
  /** Whether others may use the same browser, in separate contexts. */
  readonly isShared: boolean;
  /** Ends what was opened, whatever its state. May be called more than once. */
  close(): Promise<void>;
}

export type LaunchOptions = Pick<ProfileOptions, "home" | "project"> & {
  readonly chromePath?: string | undefined;
};

/**
 * Launches the installed Chrome. It is controlled through a pipe: no port is open to others, and it ends when this
 * process does, whatever ends it. When this fails, no Chrome is left running.
 */
export async function launchChrome(
  config: RunnerConfig,
  options: LaunchOptions,
  logs: ActionLogs,
): Promise<OpenChrome> {
  const executablePath = options.chromePath ?? findChrome();
  if (!executablePath) throw noChrome();
  const profile = acquireProfile({
    ...options,
    userDataDir: config.userDataDir,
    tempProfile: config.tempProfile,
  });
  for (const note of profile.notes) logs.tool("warning", note);
  let browser: Browser | undefined;
  try {
    browser = await launchWithSandbox(executablePath, profile, config, logs);
    markOwner(profile, browser.process()?.pid);
    const launched = browser;
    const target = await browser.waitForTarget((one) => one.type() === "page");
    return { browser, target, isShared: false, close: once(() => closeChrome(launched, profile)) };
  } catch (thrown) {
    if (browser) await closeChrome(browser, profile);
    else releaseProfile(profile);
    throw thrown;
  }
}

/** Root and some containers cannot use Chrome's sandbox; it stays on everywhere else. */
async function launchWithSandbox(
  executablePath: string,
  profile: Profile,
  config: RunnerConfig,
  logs: ActionLogs,
): Promise<Browser> {
  const args = [
    ...ARGUMENTS,
    ...(config.headless ? HEADLESS_ARGUMENTS : []),
    `--window-size=${config.width},${config.height}`,
  ];
  const { default: puppeteer } = await import("puppeteer-core");
  const launch = (more: readonly string[]): Promise<Browser> =>
    puppeteer.launch({
      executablePath,
      headless: config.headless,
      pipe: true,
      userDataDir: profile.folder,
      args: [...args, ...more],
      defaultViewport: null,
      // The caller waits for the page, while it prepares other things.
      waitForInitialPage: false,
      timeout: LAUNCH_TIMEOUT_MS,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  if (sandbox.length > 0) logs.tool("info", "Chrome runs without its sandbox, which root cannot use");
  try {
    return await launch(sandbox);
  } catch (thrown) {
    const why = await whyNotLaunched(executablePath, [
      ...[...args, ...sandbox, ...(config.headless ? ["--headless=new"] : [])],
      `--user-data-dir=${profile.folder}`,
    ]);
    if (why === undefined) throw thrown;
    if (sandbox.length > 0 || !/sandbox/i.test(why)) {
      throw new Error(`Failed to launch the browser process ${executablePath}: ${why}`);
    }
    logs.tool("warning", "Chrome's sandbox is not available here; launched without it");
    return launch(["--no-sandbox"]);
  }
}

async function closeChrome(browser: Browser, profile: Profile): Promise<void> {
  const child = browser.process();
  const isOver = (): boolean => !child || child.exitCode !== null || child.signalCode !== null;
  const over = new Promise<void>((resolve) => (isOver() ? resolve() : child?.once("exit", () => resolve())));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
  });
  await Promise.race([browser.close().catch(() => {}), late]);
  if (!isOver()) child?.kill("SIGKILL");
  await over;
  clearTimeout(timer);
  try {
    releaseProfile(profile);
  } catch {
    // Chrome has ended, which matters most. A folder that cannot be removed now is removed by a later start.
  }
}

/** Overlapping calls share one run. */
function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
