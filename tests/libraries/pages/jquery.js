import $ from "jquery";
import { app, say } from "../page.js";

app.innerHTML = `<ul>${["First", "Second", "Third"].map((name) => `<li>${name}</li>`).join("")}</ul>`;
$("ul").on("click", "li", (event) => say(`clicked ${$(event.currentTarget).text()}`));
