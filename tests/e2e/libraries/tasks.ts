import type { User } from "./user.js";

/** What a user does on the page of a library, and what the page says afterwards. */
export interface Task {
  readonly does: string;
  run(user: User): Promise<void>;
  readonly says: string;
}

const countUp: Task = {
  does: "types a name and uses an element that only a handler makes usable",
  async run(user) {
    await user.type({ role: "textbox", name: "Name" }, "Ada");
    await user.click({ text: "Count up" });
    await user.click({ text: "Count up" });
  },
  says: "state: Ada 2",
};

const editor = (text: string, says: string): Task => ({
  does: "types at the end of the text",
  run: (user) => user.type({ role: "textbox" }, text),
  says,
});

export const TASKS: Readonly<Record<string, Task>> = {
  angular: countUp,
  lit: countUp,
  preact: countUp,
  react: countUp,
  solid: countUp,
  svelte: countUp,
  vue: countUp,
  codemirror: editor(" world", "state: hello world"),
  quill: editor("Dear Ann", "state: Dear Ann"),
  tiptap: editor(" here", "state: Start here"),
  "ag-grid": {
    does: "clicks a cell",
    run: (user) => user.click({ text: "Item 7", role: "gridcell", name: "Item 7" }),
    says: "state: clicked Item 7",
  },
  tabulator: {
    does: "uses the cell beside a name",
    run: (user) => user.click({ text: "Line 3", name: "Pick" }),
    says: "state: picked Line 3",
  },
  "react-virtual": {
    does: "uses the button of a row",
    run: (user) => user.click({ text: "Row 5 ", role: "button" }),
    says: "state: picked 5",
  },
  "react-window": {
    does: "clicks a line",
    run: (user) => user.click({ text: "Line 4" }),
    says: "state: clicked line 4",
  },
  "react-select": {
    does: "chooses an option",
    async run(user) {
      await user.click({ role: "combobox", name: "Fruit" });
      await user.click({ role: "option", name: "Cherry" });
    },
    says: "state: chose Cherry",
  },
  downshift: {
    does: "types and chooses what is offered",
    async run(user) {
      await user.type({ role: "combobox", name: "City" }, "por");
      await user.click({ role: "option", name: "Porto" });
    },
    says: "state: chose Porto",
  },
  headlessui: {
    does: "opens a list and chooses",
    async run(user) {
      await user.click({ role: "button", name: "Person" });
      await user.click({ role: "option", name: "Cid" });
    },
    says: "state: chose Cid",
  },
  "radix-menu": {
    does: "opens a menu and chooses",
    async run(user) {
      await user.click({ name: "Options" });
      await user.click({ role: "menuitem", name: "Move" });
    },
    says: "state: did Move",
  },
  "radix-dialog": {
    does: "opens a dialog, fills it in and saves",
    async run(user) {
      await user.click({ role: "button", name: "Rename" });
      await user.type({ role: "textbox", name: "New name" }, "notes");
      await user.click({ role: "button", name: "Save" });
    },
    says: "state: named notes",
  },
  "radix-select": {
    does: "opens a list and chooses",
    async run(user) {
      await user.click({ role: "combobox", name: "Size" });
      await user.click({ role: "option", name: "Large" });
    },
    says: "state: chose Large",
  },
  "react-day-picker": {
    does: "chooses a day",
    run: (user) => user.click({ role: "button", pattern: "May 15" }),
    says: "state: chose 2030-5-15",
  },
  flatpickr: {
    does: "opens the calendar and chooses a day",
    async run(user) {
      await user.click({ role: "textbox", name: "Date" });
      await user.click({ name: "May 15, 2030" });
    },
    says: "state: chose 2030-05-15",
  },
  sortablejs: {
    does: "drags an item behind another",
    run: (user) => user.drag({ role: "listitem", text: "One" }, { role: "listitem", text: "Three" }),
    says: "state: Two Three One",
  },
  "dnd-kit": {
    does: "drags a card into a box",
    run: (user) => user.drag({ name: "Card" }, { name: "Box" }),
    says: "state: dropped on box",
  },
  leaflet: {
    does: "zooms in and opens a marker",
    async run(user) {
      await user.click({ name: "Zoom in" });
      await user.sees("state: zoom 11");
      await user.click({ name: "Harbour" });
    },
    says: "Open until nine",
  },
  chartjs: {
    does: "clicks a bar by its place",
    run: (user) => user.click({ role: "canvas" }, { point: { x: 450, y: 200 } }),
    says: "state: bar Tue",
  },
  d3: {
    does: "clicks the circle of a colour",
    run: (user) => user.click({ role: "circle", text: "#0000ff" }),
    says: "state: circle #0000ff",
  },
  sweetalert2: {
    does: "confirms a question",
    async run(user) {
      await user.click({ name: "Delete" });
      await user.sees("This is final.");
      await user.click({ role: "button", name: "OK" });
    },
    says: "state: deleted",
  },
  shoelace: {
    does: "opens a dialog and chooses in it",
    async run(user) {
      await user.click({ role: "button", name: "Order" });
      await user.click({ role: "combobox", name: "Size" });
      await user.click({ name: "Large" });
    },
    says: "state: size l",
  },
  "material-web": {
    does: "fills in a field and checks a box",
    async run(user) {
      await user.type({ role: "textbox", name: "Name" }, "Ada");
      await user.click({ role: "checkbox" });
    },
    says: "state: Ada true",
  },
  choices: {
    does: "opens a list and chooses",
    async run(user) {
      await user.click({ role: "combobox" });
      await user.click({ role: "option", name: "Blue" });
    },
    says: "state: chose Blue",
  },
  "tom-select": {
    does: "opens a list and chooses",
    async run(user) {
      await user.click({ role: "combobox" });
      await user.click({ role: "option", name: "Dog" });
    },
    says: "state: chose Dog",
  },
  alpine: {
    does: "opens details and uses them",
    async run(user) {
      await user.click({ text: "More" });
      await user.click({ text: "Details here" });
    },
    says: "state: read it",
  },
  htmx: {
    does: "loads a part of the page",
    run: (user) => user.click({ text: "Load news" }),
    says: "Good news",
  },
  jquery: {
    does: "uses an item that a listener around it handles",
    run: (user) => user.clickText("Second"),
    says: "state: clicked Second",
  },
  nouislider: {
    does: "moves a slider by keys",
    async run(user) {
      await user.press("ArrowRight", { role: "slider", name: "Volume" });
      await user.press("ArrowRight", { role: "slider", name: "Volume" });
    },
    says: "state: volume 40",
  },
  fullcalendar: {
    does: "opens an event",
    run: (user) => user.click({ text: "Dentist" }),
    says: "state: event Dentist",
  },
  swiper: {
    does: "shows the next slide",
    run: (user) => user.click({ name: "Next slide" }),
    says: "state: slide 1",
  },
  tippy: {
    does: "reads a hint over a button",
    run: (user) => user.hover({ name: "Help" }),
    says: "Ask at the desk",
  },
  cmdk: {
    does: "filters commands and runs one",
    async run(user) {
      await user.type({ role: "combobox" }, "clo");
      await user.press("Enter");
    },
    says: "state: ran Close file",
  },
  konva: {
    does: "clicks a shape on a canvas by its place",
    run: (user) => user.click({ role: "presentation" }, { point: { x: 130, y: 70 } }),
    says: "state: green box",
  },
};
