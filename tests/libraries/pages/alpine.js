import Alpine from "alpinejs";
import { app, say } from "../page.js";

window.say = say;
app.innerHTML = `<div x-data="{ open: false }"><span @click="open = !open">More</span><p x-show="open" @click="say('read it')">Details here</p></div>`;
Alpine.start();
