import { visibleText } from "@debug-bridge/ui/text/visible-text.js";
import { type ReactNode, useState } from "react";

interface Props {
  readonly wasGiven: boolean;
  readonly problem: string | undefined;
  onToken(token: string): void;
}

/** What to do without a token that the hub accepts, and a field to paste it. */
export function TokenForm({ wasGiven, problem, onToken }: Props): ReactNode {
  const [value, setValue] = useState("");
  const submit = (): void => {
    // People paste the whole address as often as the token alone.
    const token = /[#&?]token=([^&\s]+)/.exec(value)?.[1] ?? value.trim();
    if (token !== "") onToken(token);
  };
  return (
    <main className="token-form">
      <h1>{wasGiven ? "The hub does not accept this token" : "This page needs the hub's token"}</h1>
      <p>
        Run <code>debug-bridge open</code>, or open the address that <code>debug-bridge up</code> printed. It
        ends in <code>#token=…</code>. The token is also in the file <code>~/.debug-bridge/token</code>.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label>
          Token or address
          <input
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        </label>
        <button type="submit" className="primary" disabled={value.trim() === ""}>
          Open
        </button>
      </form>
      <p className="quiet">It is stored for this tab only.</p>
      {wasGiven && problem !== undefined && (
        <p className="quiet" role="alert">
          The hub said: {visibleText(problem)}
        </p>
      )}
    </main>
  );
}
