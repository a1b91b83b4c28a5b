import { createApp, h, ref } from "vue";
import { app, say } from "../page.js";

createApp({
  setup() {
    const count = ref(0);
    const name = ref("");
    const onInput = ({ target }) => {
      name.value = target.value;
    };
    const onClick = () => {
      count.value++;
      say(`${name.value} ${count.value}`);
    };
    return () =>
      h("div", [
        h("input", { "aria-label": "Name", value: name.value, onInput }),
        h("div", [h("span", { onClick }, "Count up")]),
      ]);
  },
}).mount(app);
