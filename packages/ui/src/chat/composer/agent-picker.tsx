import type { ReactNode } from "react";
import type { AgentProvider } from "../../hub/chat-client.js";

interface Props {
  readonly providers: readonly AgentProvider[];
  readonly chosen: AgentProvider | undefined;
  onChoose(name: string): void;
}

/** Which agent a new chat is with. One that cannot be used says what is missing. */
export function AgentPicker({ providers, chosen, onChoose }: Props): ReactNode {
  return (
    <fieldset className="agents">
      <legend>Talk to</legend>
      {providers.map(({ name, title, available, problem }) => (
        <label key={name}>
          <input
            type="radio"
            name="agent"
            value={name}
            checked={name === chosen?.name}
            disabled={!available}
            onChange={() => onChoose(name)}
          />
          <span>
            {capitalized(title)}
            {problem !== undefined && <small>{problem}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

const capitalized = (title: string): string => title.charAt(0).toUpperCase() + title.slice(1);
