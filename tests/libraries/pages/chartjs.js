import { Chart, registerables } from "chart.js";
import { app, say } from "../page.js";

Chart.register(...registerables);
app.innerHTML = `<div style="width:600px;height:300px"><canvas></canvas></div>`;
new Chart(app.querySelector("canvas"), {
  type: "bar",
  data: { labels: ["Mon", "Tue"], datasets: [{ label: "Sales", data: [10, 10] }] },
  options: {
    animation: false,
    maintainAspectRatio: false,
    onClick: (_event, [hit], chart) => say(`bar ${chart.data.labels[hit?.index]}`),
  },
});
