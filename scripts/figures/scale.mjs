/** What many sessions and many Chromes need, computed from what was measured with a few. */
import { findFigure, valueText } from "./store.mjs";

const SESSIONS = 100_000;
const CHROMES = 10_000;
/** Messages that a session sends in a second. */
const RATES = [0.1, 1, 10];
/** The share of a core's time, and of a machine's memory, that is used. */
const [BUSY, FILLED] = [0.5, 0.8];
const NATS_CORES = 4;
const NATS_NODES = 3;
const MACHINE_GB = 64;
/** What the durable timeline keeps in all, in bytes: the limit of the stream. */
const STORED_BYTES = 1_000_000_000;

const INPUTS = {
  sessionsOfHub: ["bus/sessions", "sessions of one hub on a bus"],
  hubMb: ["bus/sessions", "hub on a bus: memory without sessions"],
  sessionKb: ["bus/sessions", "hub on a bus: memory per idle session of its own"],
  knownKb: ["bus/sessions", "hub on a bus: memory per session of another hub"],
  natsMb: ["bus/sessions", "NATS server: memory without sessions"],
  natsSessionKb: ["bus/sessions", "NATS server: memory per session"],
  idleBytes: ["bus/sessions", "two hubs that do nothing: bytes through NATS"],
  hubsUs: ["bus/quiet-sessions", "a message a second of each session: processor time per message, both hubs"],
  natsUs: ["bus/quiet-sessions", "a message a second of each session: NATS server per message"],
  messageBytes: ["bus/quiet-sessions", "a message a second of each session: bytes through NATS per message"],
  chromeMb: ["browsers/memory", "memory of a launched Chrome with a page"],
  chromeMs: ["browsers/memory", "processor time of a launched Chrome with an idle page"],
};

const UNMEASURED = "Not measured yet: run `npm run bench -- bus browsers`.";

/** The tables of docs/scale.md by their names. */
export function scaleTables(results) {
  const figures = Object.entries(INPUTS).map(([key, [bench, name]]) => [
    key,
    findFigure(results, bench, name),
  ]);
  if (figures.some(([, { value }]) => Number.isNaN(value)))
    return { inputs: UNMEASURED, sessions: UNMEASURED, chromes: UNMEASURED };
  const inputs = Object.fromEntries(figures.map(([key, { value }]) => [key, Math.max(0, value)]));
  return {
    inputs: table(
      ["input", "measured", "by"],
      figures.map(([key, figure]) => [
        `\`${key}\`: ${INPUTS[key][1]}`,
        valueText(figure),
        `\`${INPUTS[key][0]}\``,
      ]),
    ),
    sessions: table(
      ["messages a second of each session", ...RATES.map(String)],
      transposed(RATES.map((rate) => needsOfSessions(inputs, SESSIONS, rate))),
    ),
    chromes: table(["for 10,000 Chromes", ""], Object.entries(needsOfChromes(inputs, CHROMES))),
  };
}

/** What sessions need when the agent of each is on another hub than its app: the worst case. */
export function needsOfSessions(inputs, sessions, rate) {
  const messages = sessions * rate;
  const hubCores = (messages * inputs.hubsUs) / 1e6;
  const hubs = Math.max(Math.ceil(sessions / inputs.sessionsOfHub), Math.ceil(hubCores / BUSY));
  const hubMb =
    inputs.hubMb +
    (inputs.sessionKb * (sessions / hubs) + inputs.knownKb * (sessions - sessions / hubs)) / 1024;
  // Each record is written on three nodes.
  const natsCores = (messages * inputs.natsUs * NATS_NODES) / 1e6;
  const nodes = Math.max(NATS_NODES, Math.ceil(natsCores / (NATS_CORES * BUSY)));
  const natsMb = inputs.natsMb + (inputs.natsSessionKb * sessions * NATS_NODES) / nodes / 1024;
  const bytes = messages * inputs.messageBytes + idleBytes(inputs, hubs);
  return {
    hubs: whole(hubs),
    "cores that the hubs use": amount(hubCores),
    "memory of each hub": `${whole(hubMb)} MB`,
    "memory of all hubs": `${amount((hubMb * hubs) / 1024)} GB`,
    "NATS nodes with 4 cores": whole(nodes),
    "memory of each NATS node": `${whole(natsMb)} MB and the cache of its disk`,
    "bytes a second through NATS": `${amount(bytes / 1e6)} MB/s`,
    "how far back the stored timeline reaches": durationText(
      STORED_BYTES / (messages * (inputs.messageBytes / 2)),
    ),
  };
}

export function needsOfChromes(inputs, chromes) {
  const perMachine = Math.floor((MACHINE_GB * 1024 * FILLED) / inputs.chromeMb);
  const machines = Math.ceil(chromes / perMachine);
  return {
    "Chromes on a machine with 64 GB": whole(perMachine),
    "machines, with one hub each": whole(machines),
    "memory of all Chromes": `${whole((chromes * inputs.chromeMb) / 1024)} GB`,
    "cores while all pages are idle": amount((chromes * inputs.chromeMs) / 1_000),
    "NATS nodes": whole(NATS_NODES),
    "bytes a second through NATS while nothing happens": `${amount(idleBytes(inputs, machines) / 1e6)} MB/s`,
  };
}

/** A renewal goes in once and out to every hub. Measured with two hubs: three messages. */
function idleBytes({ idleBytes: measured }, hubs) {
  return ((hubs * (1 + hubs)) / 3) * measured;
}

const whole = (value) => Math.round(value).toLocaleString("en");
const amount = (value) => value.toLocaleString("en", { maximumSignificantDigits: 2 });
const durationText = (seconds) =>
  seconds < 120
    ? `${whole(seconds)} s`
    : seconds < 7_200
      ? `${whole(seconds / 60)} minutes`
      : `${whole(Math.min(24, seconds / 3_600))} hours`;

const transposed = (columns) =>
  Object.keys(columns[0]).map((key) => [key, ...columns.map((column) => column[key])]);
const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
