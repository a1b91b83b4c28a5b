import type { ReactNode } from "react";
import { Facts } from "../section.js";
import type { RequestParts } from "./request-parts.js";

interface Props {
  readonly title: string;
  readonly headers: RequestParts["requestHeaders"];
}

/** The headers of a request or of an answer. */
export function HeaderList({ title, headers }: Props): ReactNode {
  if (headers.length === 0) return null;
  return (
    <details className="headers">
      <summary>
        {title} ({headers.length})
      </summary>
      <Facts facts={headers} />
    </details>
  );
}
