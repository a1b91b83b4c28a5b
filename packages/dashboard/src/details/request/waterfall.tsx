import type { ReactNode } from "react";
import { durationText } from "../../session/clock.js";
import type { RequestParts } from "./request-parts.js";

const NAMES: Readonly<Record<string, string>> = {
  queued: "Queued",
  dns: "DNS",
  connect: "Connect",
  tls: "TLS",
  send: "Send",
  wait: "Wait",
  receive: "Receive",
};

/** Where the time of a request went: each part as a bar where it was. */
export function Waterfall({ timing }: Pick<RequestParts, "timing">): ReactNode {
  const total = timing.reduce((sum, { ms }) => sum + ms, 0);
  if (total === 0) return null;
  let before = 0;
  return (
    <table className="waterfall">
      <caption>Timing</caption>
      <tbody>
        {timing.map(({ part, ms }) => {
          const left = (100 * before) / total;
          before += ms;
          return (
            <tr key={part}>
              <th scope="row">{NAMES[part]}</th>
              <td className="bar" aria-hidden>
                <span style={{ marginLeft: `${left}%`, width: `max(1px, ${(100 * ms) / total}%)` }} />
              </td>
              <td className="ms">{ms < 10 ? `${ms} ms` : durationText(ms)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
