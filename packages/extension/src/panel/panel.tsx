import { ChatApp } from "@debug-bridge/ui/chat";
import { createRoot } from "react-dom/client";
import { panelAccess } from "./panel-access.js";

const root = document.getElementById("root");
if (root) createRoot(root).render(<ChatApp access={panelAccess()} />);
