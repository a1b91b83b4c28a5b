import { type ReactNode, useDeferredValue, useEffect, useState } from "react";
import { CopyButton } from "../components/copy-button.js";
import type { CodePiece } from "./highlighter.js";

type Highlight = (code: string, language: string) => readonly CodePiece[] | undefined;

let loaded: Highlight | undefined;

/** The highlighter, once it is needed. It is not part of the page's own script. */
function useHighlighter(isNeeded: boolean): Highlight | undefined {
  const [found, setFound] = useState<{ run: Highlight } | undefined>(loaded && { run: loaded });
  useEffect(() => {
    if (!isNeeded || found) return;
    let isOpen = true;
    import("./highlighter.js").then(
      ({ highlight }) => {
        loaded = highlight;
        if (isOpen) setFound({ run: highlight });
      },
      // Without it the code is shown plainly.
      () => {},
    );
    return () => {
      isOpen = false;
    };
  }, [isNeeded, found]);
  return found?.run;
}

export function CodeBlock({
  code,
  language,
}: {
  readonly code: string;
  readonly language: string;
}): ReactNode {
  const name = language.trim().split(/\s/)[0]?.toLowerCase() ?? "";
  const settled = useDeferredValue(code);
  const highlight = useHighlighter(name !== "");
  const pieces = name !== "" && settled === code ? highlight?.(settled, name) : undefined;
  return (
    <figure className="code">
      <figcaption>
        <span>{name === "" ? "text" : name}</span>
        <CopyButton text={code} label="Copy code" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable. */}
      <pre tabIndex={0} dir="ltr">
        <code>
          {pieces
            ? pieces.map(({ text, kind }, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the order is the identity.
                <span key={i} className={kind === undefined ? undefined : `code-${kind}`}>
                  {text}
                </span>
              ))
            : code}
        </code>
      </pre>
    </figure>
  );
}
