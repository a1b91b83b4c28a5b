import type { CommandInput } from "@debug-bridge/protocol";

/** A link that an answer must have, by its kind and a part of its text. */
export interface Expected {
  readonly kind: string;
  readonly text: string;
}

/** A file that is saved with a part of it replaced, as an editor does, and has taken effect when this is over. */
export interface Save {
  readonly save: string;
  readonly from: string;
  readonly to: string;
}

/** A page with a known bug, how to run into it, and what its cause is. */
export interface Bug {
  readonly name: string;
  /** The body and the script of the page. */
  readonly html: string;
  readonly script: string;
  /** Modules that the script imports. A development server with the plugin serves such an app. */
  readonly modules?: Readonly<Record<string, string>>;
  readonly actions: readonly (CommandInput | Save)[];
  /** A part of the text of the record that is asked about; the newest one that has it. */
  readonly subject: string;
  /** The causes, in their order. The last one is the root. */
  readonly causes: readonly Expected[];
  /** A part of a note that names the mistake, where the chain alone does not. */
  readonly note?: string;
  /** In a page that is driven over CDP, which sees less: what may be all that is known, or an answer of "unknown". */
  readonly driven?: { readonly causes: readonly Expected[]; readonly isUnknown?: true };
}

const click = (text: string): CommandInput => ({ type: "click", target: { text } });
const action = (text: string): Expected => ({ kind: "action", text: `click "${text}"` });
/** Waits until the page shows it, so that nothing depends on how fast the machine is. */
const shown = (text: string): CommandInput => ({ type: "wait_for", text, maxMs: 60_000, timeoutMs: 70_000 });

const buttons = (...names: string[]): string =>
  names.map((name) => `<button id="${name.toLowerCase().replace(" ", "-")}">${name}</button>`).join(" ");
const on = (name: string, code: string): string =>
  `document.querySelector("#${name}").addEventListener("click", ${code});\n`;
/** What was shown stays: what comes later must not take it away before it was seen. */
const SHOW = `function show(text) { document.querySelector("#out").append(text, document.createElement("br")); }\n`;

export const BUGS: readonly Bug[] = [
  {
    name: "a stale closure: the timer uses the user of before the login",
    html: buttons("Start", "Log in"),
    script: `let user = null;
function start() { const known = user; setTimeout(function greet() { show("late"); show(known.name); }, 700); }
${on("start", "start")}${on("log-in", `() => { user = { name: "Ada" }; show("hello"); }`)}`,
    actions: [click("Start"), click("Log in"), shown("late")],
    subject: "Cannot read properties of null (reading 'name')",
    causes: [{ kind: "timer", text: "setTimeout in start" }, action("Start")],
  },
  {
    name: "a failed request whose answer is used as if it had worked",
    html: buttons("Load"),
    script: `async function load() {
  const response = await fetch("/api/fail");
  const data = await response.json();
  show("answered");
  show(data.items.length);
}
${on("load", "() => load()")}`,
    actions: [click("Load"), shown("answered")],
    subject: "Cannot read properties of undefined (reading 'length')",
    causes: [{ kind: "request", text: "/api/fail 500" }, action("Load")],
  },
  {
    name: "a race of two requests: the first answer comes last",
    html: buttons("First", "Second"),
    script: `let wanted = "";
async function search(query, ms) {
  wanted = query;
  const response = await fetch("/api/slow?ms=" + ms + "&q=" + query);
  const { q } = await response.json();
  show("got " + q);
  if (q !== wanted) console.error("showing " + q + " instead of " + wanted);
}
${on("first", `() => search("first", 900)`)}${on("second", `() => search("second", 0)`)}`,
    actions: [
      { ...click("First"), settle: false } as CommandInput,
      { ...click("Second"), settle: false } as CommandInput,
      shown("got first"),
    ],
    subject: "showing first instead of second",
    causes: [{ kind: "request", text: "q=first" }, action("First")],
    note: "answers came out of order",
  },
  {
    name: "a missing null check after a route change",
    html: buttons("Home", "Profile"),
    script: `const users = {};
function render(path) { show("at " + path); if (path === "/profile") show(users.current.name); }
function go(path) { history.pushState({}, "", "#" + path); render(path); }
${on("home", `() => go("/home")`)}${on("profile", `() => go("/profile")`)}`,
    actions: [click("Home"), click("Profile"), shown("at /profile")],
    subject: "Cannot read properties of undefined (reading 'name')",
    causes: [{ kind: "listener", text: "click" }, action("Profile")],
  },
  {
    name: "a timer that outlives its component",
    html: `${buttons("Open", "Close")}<div id="host"></div>`,
    script: `function open() {
  document.querySelector("#host").innerHTML = "<p id=clock>0</p>";
  setInterval(function tick() { document.querySelector("#clock").textContent += "."; }, 300);
}
function close() { document.querySelector("#host").innerHTML = ""; show("closed"); setTimeout(() => show("done"), 900); }
${on("open", "open")}${on("close", "close")}`,
    actions: [click("Open"), click("Close"), shown("done")],
    subject: "Cannot read properties of null (reading 'textContent')",
    causes: [{ kind: "timer", text: "setInterval in open" }, action("Open")],
  },
  {
    name: "a listener that was added twice sends everything twice",
    html: buttons("Show", "Save"),
    script: `function save() { fetch("/api/save", { method: "POST", body: "1" }).then(() => show("saved")); }
function mount() { document.querySelector("#save").addEventListener("click", () => save()); show("mounted"); }
${on("show", "mount")}`,
    actions: [click("Show"), click("Show"), click("Save"), shown("saved")],
    subject: "POST",
    causes: [{ kind: "listener", text: "click" }, action("Save")],
    note: "added 2 times",
  },
  {
    name: "an unhandled rejection in a chain of promises",
    html: buttons("Orders", "Other"),
    script: `function orders() {
  fetch("/api/orders")
    .then((response) => response.json())
    .then(function first(data) { show("picking"); return data.list[0].id; })
    .then((id) => show(id));
}
${on("orders", "orders")}${on("other", `() => show("other")`)}`,
    actions: [click("Orders"), shown("picking")],
    subject: "Cannot read properties of undefined (reading '0')",
    causes: [
      { kind: "promise", text: "Promise.then in orders" },
      { kind: "request", text: "/api/orders" },
      action("Orders"),
    ],
  },
  {
    name: "state that a late answer overwrites",
    html: buttons("Open document", "Rename"),
    script: `let title = "";
function load() {
  const request = new XMLHttpRequest();
  request.open("GET", "/api/slow?ms=900&q=old");
  request.onload = function loaded() { title = JSON.parse(request.responseText).q; console.error("title is " + title); show("loaded"); };
  request.send();
}
${on("open-document", "load")}${on("rename", `() => { title = "new"; show("renamed"); }`)}`,
    actions: [{ ...click("Open document"), settle: false } as CommandInput, click("Rename"), shown("loaded")],
    subject: "title is old",
    causes: [{ kind: "request", text: "q=old" }, action("Open document")],
  },
  {
    name: "an error in a loop of animation frames",
    html: buttons("Play", "Help"),
    script: `const sprites = [{ x: 1 }, { x: 2 }, { x: 3 }, { x: 4 }];
let next = 0;
function frame() { const sprite = sprites[next++]; if (!sprite) show("ended"); sprite.x++; requestAnimationFrame(frame); }
function play() { requestAnimationFrame(frame); }
${on("play", "play")}${on("help", `() => show("help")`)}`,
    actions: [click("Play"), shown("ended")],
    subject: "Cannot read properties of undefined (reading 'x')",
    causes: [{ kind: "timer", text: "requestAnimationFrame in play" }, action("Play")],
  },
  {
    name: "a message of a WebSocket that has another shape",
    html: buttons("Connect"),
    script: `function connect() {
  const socket = new WebSocket(location.href.replace("http", "ws").split("?")[0]);
  socket.onmessage = function received(event) { const { payload } = JSON.parse(event.data); show("received"); show(payload.text); };
}
${on("connect", "connect")}`,
    actions: [click("Connect"), shown("received")],
    subject: "Cannot read properties of undefined (reading 'text')",
    causes: [{ kind: "request", text: "ws://" }, action("Connect")],
    driven: { causes: [], isUnknown: true },
  },
  {
    name: "wrong data in localStorage",
    html: buttons("Remember", "Restore"),
    script: `function remember() { localStorage.setItem("cart", "{}"); show("kept"); }
function restore() { const cart = JSON.parse(localStorage.getItem("cart")); show("read"); show(cart.items.length); }
${on("remember", "remember")}${on("restore", "restore")}`,
    actions: [click("Remember"), click("Restore"), shown("read")],
    subject: "Cannot read properties of undefined (reading 'length')",
    causes: [{ kind: "listener", text: "click" }, action("Restore")],
  },
  {
    name: "a job in a queue of the app's own, which runs long after it was added",
    html: buttons("Save", "Help"),
    script: `const jobs = [];
setInterval(function work() { const next = jobs.shift(); if (next) next.task.run(next.job); }, 300);
function enqueue(name, job) { jobs.push({ job, task: console.createTask(name) }); }
${on("save", `function save() { enqueue("store", function store() { show("storing"); show(save.cart.id); }); }`)}${on("help", `() => show("help")`)}`,
    actions: [{ ...click("Save"), settle: false } as CommandInput, click("Help"), shown("storing")],
    subject: "Cannot read properties of undefined (reading 'id')",
    causes: [{ kind: "code", text: "store in" }, action("Save")],
  },
  {
    name: "a wrong edit, with another edit after it",
    html: buttons("Total"),
    script: `import { total } from "./cart.js";
import { title } from "./title.js";
${on("total", `() => { show(title + total({ items: [1, 2] })); }`)}`,
    modules: {
      "cart.js": `export function total(cart) { return cart.items.length; }\n`,
      "title.js": `export const title = "Total: ";\n`,
    },
    actions: [
      click("Total"),
      shown("Total: 2"),
      { save: "cart.js", from: "cart.items", to: "cart.lines" },
      { save: "title.js", from: "Total: ", to: "Sum: " },
      click("Total"),
    ],
    subject: "Cannot read properties of undefined (reading 'length')",
    causes: [{ kind: "listener", text: "click" }, action("Total"), { kind: "edit", text: "cart.js" }],
  },
];

/** The page of a bug. `head` is for the SDK. */
export function pageOf({ html, script }: Bug, head = ""): string {
  return pageWith(html, head, `<script>${SHOW}${script}</script>`);
}

/** The same as the files of a project, whose script imports modules. */
export function projectOf({ html, script, modules }: Bug): Record<string, string> {
  const main = `<script type="module" src="/main.js"></script>`;
  return { ...modules, "main.js": `${SHOW}${script}`, "index.html": pageWith(html, "", main) };
}

const pageWith = (html: string, head: string, script: string): string =>
  `<!doctype html><meta charset="utf-8"><title>bug</title>${head}<link rel="icon" href="data:,">${html}<p id="out">-</p>${script}`;
