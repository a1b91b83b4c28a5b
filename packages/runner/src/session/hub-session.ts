import { BridgeError, type RunnerConfig } from "@debug-bridge/protocol";
import type { BrowserHub, BrowserHubClient } from "../hub/browser-hub.js";
import { PageCommands } from "../hub/page-commands.js";
import type { ActionLogs } from "../report/logs.js";
import { PageReport } from "../report/page-report.js";
import { SourceMaps } from "../source-maps/source-maps.js";
import { LaunchedPage, type LaunchedPageOptions } from "./launched-page.js";

/** The name under which the hub records the commands of `browser_action`. */
const CLIENT_NAME = "browser_action";

/** A session of the hub with the launched page as its app, and this runner as a client of it. */
export class HubSession {
  page: LaunchedPage | undefined;
  /** Built from the records of the session since the page was launched. */
  report: PageReport;
  private readonly client: BrowserHubClient;
  private unsubscribe: (() => void) | undefined;
  private followed: string | undefined;
  private launching: Promise<LaunchedPage> | undefined;
  /** Counts calls of `close`, so that a browser that was still launching is closed too. */
  private closed = 0;

  constructor(
    private readonly options: LaunchedPageOptions & { readonly hub: BrowserHub },
    private readonly logs: ActionLogs,
  ) {
    this.client = options.hub.connectClient({ name: CLIENT_NAME });
    this.report = this.newReport();
  }

  /** Sends commands to the page through the hub. */
  commands(signal?: AbortSignal): PageCommands {
    return new PageCommands(this.client, this.follow(), signal);
  }

  /** Makes commands and the report be about another page of the browser. */
  switchTo(page: LaunchedPage, number: number): void {
    page.switchTo(number);
    this.follow();
  }

  /**
   * Throws the hub's refusal if this client may not navigate. The command is sent all the same, so that the hub records
   * and audits the refusal as it does for every client.
   */
  async assertMayNavigate(url: string): Promise<void> {
    this.follow();
    try {
      this.client.mayAct(this.options.sessionId, "navigate");
    } catch (refusal) {
      await this.commands().run({ type: "navigate", url });
      throw refusal;
    }
  }

  async launch(config: RunnerConfig): Promise<LaunchedPage> {
    const { closed, options } = this;
    this.report = this.newReport(config.networkDetails);
    this.follow();
    this.launching = LaunchedPage.open(config, options, this.logs).then(async (page) => {
      if (closed === this.closed) return page;
      await page.close();
      throw new BridgeError("cancelled", "the session was closed while its browser was starting");
    });
    try {
      this.page = await this.launching;
    } finally {
      this.launching = undefined;
    }
    return this.page;
  }

  /** Closes the browser, whatever its state. May be called at any time and more than once. */
  async close(): Promise<void> {
    const { page } = this;
    // Forgotten first, so that nobody uses or closes it meanwhile.
    this.page = undefined;
    this.closed++;
    await Promise.all([page?.close(), this.launching?.catch(() => {})]);
  }

  /** Ends the connection to the hub. */
  leave(): void {
    this.unsubscribe?.();
    this.unsubscribe = undefined;
    this.client.close();
  }

  /** Adds new records of the page that is used to the report from now on. Returns the id of its session. */
  private follow(): string {
    const sessionId = this.page?.sessionId ?? this.options.sessionId;
    if (this.unsubscribe && this.followed === sessionId) return sessionId;
    this.unsubscribe?.();
    this.followed = sessionId;
    this.unsubscribe = this.client.subscribe(sessionId, (record) => this.report.add(record));
    return sessionId;
  }

  private newReport(withDetails = false): PageReport {
    const maps = new SourceMaps(this.options.project);
    return new PageReport(this.logs, maps, () => this.page?.driver.url ?? "", withDetails);
  }
}
