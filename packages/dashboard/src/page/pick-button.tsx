import { CopyButton } from "@debug-bridge/ui/components/copy-button.js";
import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { EditorLink } from "../editor/editor-link.js";
import type { DashboardApi, PickedElement } from "../hub/dashboard-api.js";

interface Props {
  readonly client: DashboardApi;
  readonly session: string;
}

type State =
  | { readonly kind: "idle"; readonly problem?: string }
  | { readonly kind: "picking" }
  | { readonly kind: "picked"; readonly element: PickedElement };

/** Lets a person choose an element in the live page, and shows what it is called. */
export function PickButton({ client, session }: Props): ReactNode {
  const [state, setState] = useState<State>({ kind: "idle" });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const pick = (): void => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: "picking" });
    client.pick(session, controller.signal).then(
      (element) =>
        setState(
          element.picked
            ? { kind: "picked", element }
            : {
                kind: "idle",
                problem: "Nothing was picked: it was cancelled in the page, or it took too long.",
              },
        ),
      (thrown: Error) =>
        setState(controller.signal.aborted ? { kind: "idle" } : { kind: "idle", problem: thrown.message }),
    );
  };
  return (
    <div className="pick">
      {state.kind === "picking" ? (
        <>
          <button type="button" onClick={() => running.current?.abort()}>
            Cancel
          </button>
          <span role="status">Click an element in the page itself, or press Escape there.</span>
        </>
      ) : (
        <button type="button" onClick={pick}>
          Pick an element
        </button>
      )}
      {state.kind === "idle" && state.problem !== undefined && (
        <span role="alert">{visibleText(state.problem)}</span>
      )}
      {state.kind === "picked" && <Picked element={state.element} {...{ client, session }} />}
    </div>
  );
}

function Picked({ element, client, session }: Props & { readonly element: PickedElement }): ReactNode {
  const { ref, role, name, selector, source } = element;
  const [, file, line] = /^(\S+?):(\d+)/.exec(source ?? "") ?? [];
  const facts = [
    ["Ref", ref],
    ["Selector", selector],
    ["Source", source],
  ] as const;
  return (
    <section className="picked" aria-label="Picked element">
      <p dir="auto">
        {visibleText(role ?? "")} {visibleText(JSON.stringify(name ?? ""))}
      </p>
      <dl className="facts">
        {facts.map(([title, value]) =>
          typeof value === "string" && value !== "" ? (
            <div key={title}>
              <dt>{title}</dt>
              <dd dir="auto">
                {visibleText(value)}
                <CopyButton label={`Copy the ${title.toLowerCase()}`} text={value} />
                {title === "Source" && file !== undefined && (
                  <EditorLink
                    reader={client}
                    timeline={{ kind: "session", id: session }}
                    at={file}
                    line={Number(line)}
                  />
                )}
              </dd>
            </div>
          ) : null,
        )}
      </dl>
    </section>
  );
}
