import { mount } from "svelte";
import { app } from "../page.js";
import Counter from "./counter.svelte";

mount(Counter, { target: app });
