import type { DrivenPage } from "@debug-bridge/driver";
import type { RunnerConfig } from "@debug-bridge/protocol";
import puppeteer, { type Browser } from "puppeteer-core";
import type { ActionLogs } from "../log/logs.js";
import { findChrome } from "./find.js";
import { noChrome } from "./install-steps.js";
import { markOwner, type Profile, type ProfileOptions, releaseProfile, takeProfile } from "./profile.js";
import { whyNotLaunched } from "./why-not-launched.js";

const LAUNCH_MS = 30_000;
const CLOSE_MS = 5_000;

/** Neither asks nor restores nor calls home. */
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
 * Without a window, drawing and network need no processes of their own, nor does the one page need another kept ready
 * beside it, and a start need not wait for them.
 */
const HEADLESS_ARGUMENTS = [
  "--in-process-gpu",
  "--enable-features=NetworkServiceInProcess2",
  "--disable-features=SpareRendererForSitePerProcess",
];

/** A Chrome of ours, which takes its profile with it when it is closed. */
export interface LaunchedChrome {
  readonly browser: Browser;
  readonly profile: Profile;
  /** Ends every process of it, however it is. May be called again. */
  close(): Promise<void>;
}

export type LaunchOptions = Pick<ProfileOptions, "home" | "project"> & {
  readonly chromePath?: string | undefined;
  /** Gets each page before its first navigation, also the one after a restart: to make it a session of a hub. */
  readonly onPage?: ((page: DrivenPage) => void) | undefined;
};

/**
 * Launches the installed Chrome. It is steered through a pipe: no port is open to others, and it ends when this process
 * does, whatever ends it.
 */
export async function launchChrome(
  config: RunnerConfig,
  options: LaunchOptions,
  logs: ActionLogs,
): Promise<LaunchedChrome> {
  const executablePath = options.chromePath ?? findChrome();
  if (!executablePath) throw noChrome();
  const profile = takeProfile({
    ...options,
    userDataDir: config.userDataDir,
    tempProfile: config.tempProfile,
  });
  for (const note of profile.notes) logs.tool("warning", note);
  try {
    const browser = await launchWithSandbox(executablePath, profile, config, logs);
    markOwner(profile, browser.process()?.pid);
    return { browser, profile, close: once(() => closeChrome(browser, profile)) };
  } catch (thrown) {
    releaseProfile(profile);
    throw thrown;
  }
}

/** Root and some containers cannot have Chrome's sandbox; everybody else keeps it. */
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
  const launch = (more: readonly string[]): Promise<Browser> =>
    puppeteer.launch({
      executablePath,
      headless: config.headless,
      pipe: true,
      userDataDir: profile.folder,
      args: [...args, ...more],
      defaultViewport: null,
      // The page is waited for where it is used, while other things get ready.
      waitForInitialPage: false,
      timeout: LAUNCH_MS,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
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
    timer = setTimeout(resolve, CLOSE_MS);
  });
  await Promise.race([browser.close().catch(() => {}), late]);
  if (!isOver()) child?.kill("SIGKILL");
  await over;
  clearTimeout(timer);
  releaseProfile(profile);
}

/** Overlapping calls share one run. */
function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
