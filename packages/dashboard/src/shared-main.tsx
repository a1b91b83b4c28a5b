import { createRoot } from "react-dom/client";
import { readEmbedded } from "./file/read-embedded.js";
import { SharedApp } from "./file/shared-app.js";
import { providePlayer } from "./page/replay/load-player.js";
import type { ReplayPlayer } from "./page/replay/replay-player.js";

providePlayer(
  async () => (globalThis as { DebugBridgeReplayPlayer?: typeof ReplayPlayer }).DebugBridgeReplayPlayer,
);

const root = document.getElementById("root");
if (root) createRoot(root).render(<SharedApp file={readEmbedded()} />);
