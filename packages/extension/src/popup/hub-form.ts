import { otherHubsText, parseAddress, parseOtherHubs, portProblem } from "../connection/address.js";
import type { SettingsChange } from "../settings/settings.js";
import { element, fillList, label, setUnlessFocused, showProblem } from "./dom.js";
import { endLine, type PopupView } from "./view.js";

/** Connects the form for the hub's address and ports. */
export function listenToHubForm(change: (set: SettingsChange) => void): void {
  const address = element<HTMLInputElement>("address");
  const consolePort = element<HTMLInputElement>("console-port");
  const relayPort = element<HTMLInputElement>("relay-port");
  const others = element<HTMLInputElement>("other-hubs");
  element<HTMLFormElement>("hub-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const parsed = parseAddress(address.value);
    const ports = { consolePort: Number(consolePort.value), relayPort: Number(relayPort.value) };
    const { hubs, problem: wrongOther } = parseOtherHubs(others.value);
    const problem =
      parsed.problem ??
      portProblem("Console port", ports.consolePort) ??
      portProblem("Relay port", ports.relayPort) ??
      wrongOther;
    showProblem("hub-problem", address, problem);
    if (parsed.address !== undefined && problem === undefined)
      change({ hub: { address: parsed.address, ...ports }, otherHubs: hubs ?? [] });
  });
}

/** Shows the address, what is known of the hub, and the last ends of connections. */
export function renderHub({ settings, console, ends }: PopupView): void {
  setUnlessFocused("address", settings.hub.address);
  setUnlessFocused("console-port", String(settings.hub.consolePort));
  setUnlessFocused("relay-port", String(settings.hub.relayPort));
  setUnlessFocused("other-hubs", otherHubsText(settings.otherHubs));
  element("latency").textContent = console.latencyMs === undefined ? "–" : `${console.latencyMs} ms`;
  element("version").textContent = console.hubVersion ?? "–";
  element("errors").textContent = String(console.messageErrors);
  element("ends-title").hidden = ends.length === 0;
  fillList("ends", [...ends].reverse(), (end) => [label(endLine(end), end.reason)]);
}
