import { createRoot } from "react-dom/client";
import { Shop } from "./shop.tsx";
import "./shop.css";

const root = document.getElementById("root");
if (root) createRoot(root).render(<Shop />);
