import type { FromPopup } from "../port-messages.js";
import { button, element, fillList } from "./dom.js";
import { type PopupView, questionText } from "./view.js";

type Send = (message: FromPopup) => void;

/** Shows what agents ask for, above everything else. */
export function renderQuestions(
  { waiting, questions }: PopupView,
  current: number | undefined,
  send: Send,
): void {
  element("questions").hidden = waiting.length === 0 && questions.length === 0;
  const waitingItems = waiting.length === 0 ? [] : [{ clients: waiting.join(", "), current }];
  fillList("waiting", waitingItems, ({ clients, current: tabId }) => [
    text(`${clients} wants to work in your browser. No tab is shared.`),
    row(
      ...(tabId === undefined
        ? []
        : [
            primary(
              button("This tab", "Share this tab", () =>
                send({ kind: "answer-waiting", answer: "tab", tabId }),
              ),
            ),
          ]),
      button("All tabs", "Share all tabs", () => send({ kind: "answer-waiting", answer: "all" })),
      button("No", `Share nothing with ${clients}`, () => send({ kind: "answer-waiting", answer: "no" })),
    ),
  ]);
  fillList("grants", questions, (question) => {
    const { id, client, grant, method } = question;
    const remember = document.createElement("input");
    remember.type = "checkbox";
    const label = document.createElement("label");
    label.append(remember, ` Remember for ${client}`);
    const answer = (allowed: boolean) => (): void =>
      send({ kind: "answer-grant", id, allowed, remember: remember.checked });
    return [
      text(questionText(question), `${method} needs “grant: ${grant}”`),
      label,
      row(
        primary(button("Allow", `Allow ${client}: ${grant}`, answer(true))),
        button("No", `Refuse ${client}: ${grant}`, answer(false)),
      ),
    ];
  });
}

function text(content: string, title = ""): HTMLElement {
  const paragraph = document.createElement("p");
  paragraph.textContent = content;
  paragraph.title = title;
  return paragraph;
}

function row(...buttons: HTMLElement[]): HTMLElement {
  const cell = document.createElement("div");
  cell.className = "buttons";
  cell.append(...buttons);
  return cell;
}

function primary(created: HTMLButtonElement): HTMLButtonElement {
  created.className = "primary";
  return created;
}
