import { readToken } from "@debug-bridge/ui/page-token";
import { createRoot } from "react-dom/client";
import { App } from "./app.js";
import { providePlayer } from "./page/replay/load-player.js";
import "./styles/dashboard.css";

providePlayer(async () => (await import("./page/replay/replay-player.js")).ReplayPlayer);

const root = document.getElementById("root");
if (root) createRoot(root).render(<App givenToken={readToken()} />);
