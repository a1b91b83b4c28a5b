import noUiSlider from "nouislider";
import "nouislider/dist/nouislider.css";
import { app, say } from "../page.js";

app.style.margin = "60px";
const slider = noUiSlider.create(app, {
  start: 20,
  step: 10,
  range: { min: 0, max: 100 },
  handleAttributes: [{ "aria-label": "Volume" }],
});
slider.on("set", ([value]) => say(`volume ${Number(value)}`));
