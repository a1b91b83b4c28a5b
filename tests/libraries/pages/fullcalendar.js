import { Calendar } from "@fullcalendar/core";
import dayGridPlugin from "@fullcalendar/daygrid";
import interactionPlugin from "@fullcalendar/interaction";
import { app, say } from "../page.js";

new Calendar(app, {
  plugins: [dayGridPlugin, interactionPlugin],
  initialDate: "2030-05-01",
  events: [{ title: "Dentist", date: "2030-05-14" }],
  eventClick: ({ event }) => say(`event ${event.title}`),
}).render();
