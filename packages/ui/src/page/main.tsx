import { createRoot } from "react-dom/client";
import { ChatApp } from "../chat/app.js";
import { tokenAccess } from "../hub/access.js";
import { readToken } from "../page-token.js";
import "../styles/chat.css";

const root = document.getElementById("root");
if (root) createRoot(root).render(<ChatApp access={tokenAccess(readToken())} />);
