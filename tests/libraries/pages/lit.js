import { html, LitElement } from "lit";
import { app, say } from "../page.js";

class MyCounter extends LitElement {
  static properties = { name: {}, count: {} };
  constructor() {
    super();
    this.name = "";
    this.count = 0;
  }
  render() {
    return html`<input aria-label="Name" .value=${this.name} @input=${({ target }) => {
      this.name = target.value;
    }}><div><span @click=${() => say(`${this.name} ${++this.count}`)}>Count up</span></div>`;
  }
}
customElements.define("my-counter", MyCounter);
app.innerHTML = "<my-counter></my-counter>";
