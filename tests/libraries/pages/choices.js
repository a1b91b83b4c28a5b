import Choices from "choices.js";
import "choices.js/public/assets/styles/choices.min.css";
import { app, say } from "../page.js";

app.innerHTML = `<select><option>Red</option><option>Green</option><option>Blue</option></select>`;
const select = app.querySelector("select");
new Choices(select, { shouldSort: false });
select.addEventListener("change", () => say(`chose ${select.value}`));
