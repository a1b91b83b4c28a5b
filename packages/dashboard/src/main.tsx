import { createRoot } from "react-dom/client";
import { Page } from "./page.js";
import "./style.css";
import { readToken } from "./token.js";

const root = document.getElementById("root");
if (root) createRoot(root).render(<Page token={readToken()} />);
