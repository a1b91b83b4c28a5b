/** Runs in the page's own world, before any script of the page. Leaves nothing behind that the page could find. */
import { Channel } from "./channel.js";
import { shareWithFrames } from "./frame-sharing.js";
import { hookConsole, Reporter } from "./hooks.js";
import { standInForToString } from "./native-stand-in.js";
import { trackProxies } from "./proxies.js";
import { watchUncaught } from "./uncaught.js";

const channel = new Channel();
const reporter = new Reporter(channel);
shareWithFrames(channel);
hookConsole(console, reporter);
trackProxies(globalThis);
standInForToString();
watchUncaught(window, reporter);
