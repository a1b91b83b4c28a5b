import flatpickr from "flatpickr";
import "flatpickr/dist/flatpickr.min.css";
import { app, say } from "../page.js";

app.innerHTML = `<label>Date <input id="date"></label>`;
flatpickr("#date", { defaultDate: "2030-05-01", onChange: (_dates, text) => say(`chose ${text}`) });
