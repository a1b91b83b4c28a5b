import { type AccessSettings, hostIn } from "../debugger/access.js";
import type { AgentsView } from "../debugger/service.js";
import type { FromPopup } from "../port-messages.js";
import { addressProblem } from "../worker/settings.js";
import { relayLine, tabLine } from "./view.js";

const element = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;

/** The part of the popup that is about agents: what they may do, and where they are. */
export class AgentsPart {
  private view: AgentsView | undefined;

  constructor(private readonly say: (message: FromPopup) => void) {
    for (const mode of ["automatic", "manual"] as const)
      element(`mode-${mode}`).addEventListener("change", () => this.change({ mode }));
    element<HTMLInputElement>("read-only").addEventListener("change", (event) =>
      this.change({ readOnly: (event.target as HTMLInputElement).checked }),
    );
    element<HTMLInputElement>("visible").addEventListener("change", (event) =>
      this.change({ visible: (event.target as HTMLInputElement).checked }),
    );
    element<HTMLFormElement>("lock-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = element<HTMLInputElement>("lock").value;
      this.change({ site: text.trim() === "" ? undefined : hostIn(text) });
    });
    element<HTMLFormElement>("relay-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const input = element<HTMLInputElement>("relay-address");
      const address = input.value.trim();
      const problem = addressProblem(address);
      element("relay-problem").hidden = problem === undefined;
      element("relay-problem").textContent = problem ?? "";
      input.setAttribute("aria-invalid", String(problem !== undefined));
      if (problem === undefined) say({ kind: "set-relay", address });
    });
  }

  render(view: AgentsView): void {
    this.view = view;
    const { relay, address, access, tabs } = view;
    element("relay-status").dataset.status = relay.status === "connected" ? "connected" : "failed";
    element("relay-text").textContent = relayLine(relay, address);
    element<HTMLInputElement>(`mode-${access.mode}`).checked = true;
    element<HTMLInputElement>("read-only").checked = access.readOnly;
    element<HTMLInputElement>("visible").checked = access.visible;
    setUnlessFocused("lock", access.site ?? "");
    setUnlessFocused("relay-address", address);
    const used = [...tabs].sort((a, b) => b.clients.length - a.clients.length);
    const mark = JSON.stringify(used);
    const list = element("agent-tabs");
    if (list.dataset.items === mark) return;
    list.dataset.items = mark;
    list.replaceChildren(...used.map((tab) => this.row(tab)));
  }

  private row(tab: AgentsView["tabs"][number]): HTMLElement {
    const row = document.createElement("li");
    const label = document.createElement("span");
    label.textContent = tab.title || tab.url;
    label.title = tab.url;
    const state = document.createElement("span");
    state.className = "quiet";
    state.textContent = tabLine(tab);
    state.title = tabLine(tab);
    row.append(label, state);
    if (tab.restricted) return row;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = tab.offered ? "Revoke" : "Hand over";
    button.setAttribute("aria-label", `${button.textContent} ${tab.title || tab.url}`);
    button.addEventListener("click", () =>
      this.say({ kind: tab.offered ? "revoke" : "hand-over", tabId: tab.tabId }),
    );
    row.append(button);
    return row;
  }

  private change(part: Partial<AccessSettings>): void {
    if (this.view) this.say({ kind: "set-access", access: { ...this.view.access, ...part } });
  }
}

function setUnlessFocused(id: string, value: string): void {
  const input = element<HTMLInputElement>(id);
  if (document.activeElement !== input) input.value = value;
}
