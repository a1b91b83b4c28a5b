/** Runs in the page's own world, before any script of the page. Leaves nothing behind that the page could find. */
import { Channel } from "./channel.js";
import { disguiseSources } from "./disguise.js";
import { hookConsole, Reporter } from "./hooks.js";
import { noteProxies } from "./proxies.js";
import { watchUncaught } from "./uncaught.js";

const reporter = new Reporter(new Channel());
hookConsole(console, reporter);
noteProxies(globalThis);
disguiseSources();
watchUncaught(window, reporter);
