/**
 * Five tasks, and how an agent does each with the tools of a server, in the fewest calls that their descriptions lead to.
 * It knows the words of the task (names of buttons, what to fill in) and nothing of the page, and nobody runs scripts in the page.
 * `done` is what the answers, taken together, have to say.
 */
const PERSON = {
  "First name": "Ada",
  "Last name": "Berg",
  "E-mail": "ada@quay.example",
  Phone: "5550199",
  Street: "Quay 4",
  Postcode: "9999",
  Country: "Peru",
};
const ACCOUNT = /Account Ada\/Berg\/ada@quay\.example\/5550199\/Quay 4\/9999\/Peru\/on/;

export const TASKS = [
  {
    name: "find a failing request",
    path: "/checkout",
    done: /\/api\/orders[\s\S]*422/,
    ours: async ({ call }) => call("act", { type: "click", target: { role: "button", name: "Place order" } }),
    async playwright({ call }) {
      const button = ref(await call("browser_find", { text: "Place order" }), 'button "Place order"');
      await call("browser_click", { target: button });
      await call("browser_network_requests");
    },
    async devtools({ call }) {
      await call("click", { uid: uid(await call("take_snapshot"), 'button "Place order"') });
      await call("list_network_requests", { resourceTypes: ["fetch", "xhr"] });
    },
    agentBrowser: ({ call }) =>
      call(...batch(press("Place order"), "wait --load networkidle", "network requests --status 400-599")),
  },
  {
    name: "fill a form",
    path: "/signup",
    done: ACCOUNT,
    async ours({ call }) {
      const page = await call("observe");
      const field = (name) => ({ ref: ourRef(page, `(?:textbox|combobox|checkbox) "${name}"`) });
      const actions = Object.entries(PERSON).map(([name, text]) =>
        name === "Country"
          ? { type: "select", target: field(name), values: [text] }
          : { type: "type", target: field(name), text },
      );
      actions.push({ type: "click", target: field("I agree to the terms") });
      actions.push({ type: "click", target: { ref: ourRef(page, 'button "Create account"') } });
      await call("act", { actions });
    },
    async playwright({ call }) {
      const page = await call("browser_snapshot");
      const field = (type, name, value) => ({ name, type, value, target: ref(page, `${type} "${name}"`) });
      const fields = Object.entries(PERSON).map(([name, value]) =>
        field(name === "Country" ? "combobox" : "textbox", name, value),
      );
      await call("browser_fill_form", {
        fields: [...fields, field("checkbox", "I agree to the terms", "true")],
      });
      await call("browser_click", { target: ref(page, 'button "Create account"') });
      await call("browser_find", { text: "Account " });
    },
    async devtools({ call }) {
      const page = await call("take_snapshot");
      const names = [...Object.entries(PERSON), ["I agree to the terms", "true"]];
      const elements = names.map(([name, value]) => ({
        uid: uid(page, `(?:textbox|combobox|checkbox) "${name}"`),
        value,
      }));
      await call("fill_form", { elements });
      await call("click", { uid: uid(page, 'button "Create account"'), includeSnapshot: true });
    },
    async agentBrowser({ call }) {
      const page = await call("snapshot", { args: ["-i"] });
      const field = (name) => `@${/ref=(e\d+)/.exec(page.slice(page.indexOf(`"${name}"`)))[1]}`;
      const fills = Object.entries(PERSON).map(([name, value]) =>
        name === "Country" ? `select ${field(name)} ${value}` : `fill ${field(name)} '${value}'`,
      );
      const check = `check ${field("I agree to the terms")}`;
      await call(...batch(...fills, check, `click ${field("Create account")}`, "find text 'Account ' text"));
    },
  },
  {
    name: "find why a button does nothing",
    path: "/report",
    done: /Cannot read properties of undefined[\s\S]*report\.js:4/,
    ours: async ({ call }) => call("act", { type: "click", target: { role: "button", name: "Save report" } }),
    async playwright({ call }) {
      await call("browser_click", {
        target: ref(await call("browser_find", { text: "Save report" }), 'button "Save report"'),
      });
      await call("browser_console_messages", { level: "error" });
    },
    async devtools({ call }) {
      await call("click", { uid: uid(await call("take_snapshot"), 'button "Save report"') });
      await call("list_console_messages", { types: ["error"], includeStackTraces: true });
    },
    // Without --json it prints an empty line for each error.
    agentBrowser: ({ call }) => call(...batch("--json", press("Save report"), "errors")),
  },
  {
    name: "reach the 733rd row",
    path: "/orders",
    done: /Order 733 deleted/,
    async ours({ call }) {
      const [, row] =
        /Order 733 .*?(e\d+) button "Delete"/.exec(await call("find", { text: "Order 733" })) ?? [];
      await call("act", { type: "click", target: { ref: row } });
    },
    async playwright({ call }) {
      const found = await call("browser_find", { text: "Order 733" });
      // What it shows around a match ends before the button of the row.
      const [, row] = /row \[ref=(\w+)\]:\s+- cell "Order 733"/.exec(found) ?? missing("row", found);
      const cells = await call("browser_snapshot", { target: row });
      await call("browser_click", { target: ref(cells, 'button "Delete"') });
      await call("browser_find", { text: "deleted" });
    },
    async devtools({ call }) {
      const page = await call("take_snapshot");
      await call("click", { uid: uid(page.slice(page.indexOf("Order 733")), 'button "Delete"') });
      await call("wait_for", { text: ["Order 733 deleted"] });
    },
    async agentBrowser({ call }) {
      const page = await call("snapshot", { args: ["-i"] });
      const [, row] =
        /button "Delete" \[ref=(e\d+)/.exec(page.slice(page.indexOf('"Order 733"'))) ?? missing("row", page);
      await call(...batch(`click @${row}`, "find text deleted text"));
    },
  },
  {
    name: "reproduce an error after a route change",
    path: "/app",
    done: /Cannot read properties of null[\s\S]*deliveries\.js:10/,
    async ours({ call }) {
      const click = (name) => ({ type: "click", target: { role: "button", name } });
      await call("act", { actions: [click("Open delivery 7"), click("Track")] });
    },
    async playwright({ call }) {
      await call("browser_click", {
        target: ref(await call("browser_find", { text: "Open delivery 7" }), 'button "Open delivery 7"'),
      });
      await call("browser_click", {
        target: ref(await call("browser_find", { text: "Track" }), 'button "Track"'),
      });
      await call("browser_console_messages", { level: "error" });
    },
    async devtools({ call }) {
      const opened = {
        uid: uid(await call("take_snapshot"), 'button "Open delivery 7"'),
        includeSnapshot: true,
      };
      await call("click", { uid: uid(await call("click", opened), 'button "Track"') });
      await call("list_console_messages", { types: ["error"], includeStackTraces: true });
    },
    agentBrowser: ({ call }) =>
      call(...batch("--json", press("Open delivery 7"), "wait --load networkidle", press("Track"), "errors")),
  },
];

/** Several commands of agent-browser in one call. */
function batch(...commands) {
  return ["batch", { args: commands }];
}

function press(name) {
  return `find role button click --name '${name}'`;
}

function ourRef(text, what) {
  return (new RegExp(`(e\\d+) ${what}`).exec(text) ?? missing(what, text))[1];
}

function ref(text, what) {
  return (new RegExp(`${what}.*?\\[ref=(\\w+)\\]`).exec(text) ?? missing(what, text))[1];
}

function uid(text, what) {
  return (new RegExp(`uid=(\\w+) ${what}`).exec(text) ?? missing(what, text))[1];
}

function missing(what, text) {
  throw new Error(`no ${what} in:\n${text.slice(0, 2_000)}`);
}
