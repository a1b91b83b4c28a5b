import "@shoelace-style/shoelace/dist/components/button/button.js";
import "@shoelace-style/shoelace/dist/components/dialog/dialog.js";
import "@shoelace-style/shoelace/dist/components/option/option.js";
import "@shoelace-style/shoelace/dist/components/select/select.js";
import { app, say } from "../page.js";

app.innerHTML = `<sl-button>Order</sl-button>
  <sl-dialog label="Order"><sl-select label="Size"><sl-option value="s">Small</sl-option><sl-option value="l">Large</sl-option></sl-select></sl-dialog>`;
const dialog = app.querySelector("sl-dialog");
app.querySelector("sl-button").addEventListener("click", () => dialog.show());
app.querySelector("sl-select").addEventListener("sl-change", ({ target }) => say(`size ${target.value}`));
