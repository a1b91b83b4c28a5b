import TomSelect from "tom-select";
import "tom-select/dist/css/tom-select.css";
import { app, say } from "../page.js";

app.innerHTML = `<label for="pet">Pet</label><select id="pet"><option value="">None</option><option>Cat</option><option>Dog</option></select>`;
new TomSelect("#pet", { onChange: (value) => say(`chose ${value}`) });
