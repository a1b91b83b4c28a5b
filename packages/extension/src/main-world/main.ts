/** Runs in the page's own world, before any script of the page. Leaves nothing behind that the page could find. */
import { Channel } from "./channel.js";
import { disguiseSources } from "./disguise.js";
import { joinFamily } from "./family.js";
import { hookConsole, Reporter } from "./hooks.js";
import { noteProxies } from "./proxies.js";
import { watchUncaught } from "./uncaught.js";

const channel = new Channel();
const reporter = new Reporter(channel);
joinFamily(channel);
hookConsole(console, reporter);
noteProxies(globalThis);
disguiseSources();
watchUncaught(window, reporter);
