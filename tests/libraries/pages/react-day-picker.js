import { createElement as h } from "react";
import { DayPicker } from "react-day-picker";
import { createRoot } from "react-dom/client";
import { app, say } from "../page.js";

createRoot(app).render(
  h(DayPicker, {
    mode: "single",
    defaultMonth: new Date(2030, 4, 1),
    onSelect: (day) => say(`chose ${day?.getFullYear()}-${day?.getMonth() + 1}-${day?.getDate()}`),
  }),
);
