import htmx from "htmx.org";
import { app } from "../page.js";

app.innerHTML = `<div hx-get="/fragment" hx-target="#result">Load news</div><p id="result"></p>`;
htmx.process(app);
