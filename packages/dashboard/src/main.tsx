import { readToken } from "@debug-bridge/ui/page-token";
import { createRoot } from "react-dom/client";
import { Page } from "./page.js";
import "./style.css";

const root = document.getElementById("root");
if (root) createRoot(root).render(<Page token={readToken()} />);
