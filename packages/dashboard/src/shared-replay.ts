import { ReplayPlayer } from "./page/replay/replay-player.js";

/** Put into a shared file before its program, when the file has a replay. */
Object.assign(globalThis, { DebugBridgeReplayPlayer: ReplayPlayer });
