import { mountChat } from "@debug-bridge/ui/chat";
import { panelAccess } from "./panel-access.js";

const root = document.getElementById("root");
if (root) mountChat(root, panelAccess());
