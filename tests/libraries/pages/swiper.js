import Swiper from "swiper";
import { A11y, Navigation } from "swiper/modules";
import "swiper/css";
import "swiper/css/navigation";
import { app, say } from "../page.js";

app.innerHTML = `<div class="swiper" style="width:300px;height:100px"><div class="swiper-wrapper">${[
  "One",
  "Two",
  "Three",
]
  .map((name) => `<div class="swiper-slide">Slide ${name}</div>`)
  .join("")}</div><div class="swiper-button-prev"></div><div class="swiper-button-next"></div></div>`;
new Swiper(".swiper", {
  modules: [A11y, Navigation],
  speed: 0,
  navigation: { nextEl: ".swiper-button-next", prevEl: ".swiper-button-prev" },
  on: { slideChange: ({ activeIndex }) => say(`slide ${activeIndex}`) },
});
