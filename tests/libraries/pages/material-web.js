import "@material/web/checkbox/checkbox.js";
import "@material/web/textfield/outlined-text-field.js";
import { app, say } from "../page.js";

app.innerHTML = `<md-outlined-text-field label="Name"></md-outlined-text-field><label><md-checkbox></md-checkbox> Agree</label>`;
const field = app.querySelector("md-outlined-text-field");
const box = app.querySelector("md-checkbox");
app.addEventListener("change", () => say(`${field.value} ${box.checked}`));
app.addEventListener("input", () => say(`${field.value} ${box.checked}`));
