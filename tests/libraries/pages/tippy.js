import tippy from "tippy.js";
import { app } from "../page.js";

app.innerHTML = "<button>Help</button>";
tippy("button", { content: "Ask at the desk", duration: 0 });
