import Sortable from "sortablejs";
import { app, say } from "../page.js";

app.innerHTML = `<ul id="list">${["One", "Two", "Three"].map((name) => `<li style="padding:12px">${name}</li>`).join("")}</ul>`;
const list = document.querySelector("#list");
new Sortable(list, {
  onEnd: () => say(Array.from(list.children, ({ textContent }) => textContent).join(" ")),
});
