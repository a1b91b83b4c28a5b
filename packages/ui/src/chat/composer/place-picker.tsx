import { frontSession, type SessionSummary } from "@debug-bridge/protocol";
import { AppWindow } from "lucide-react";
import type { ReactNode } from "react";
import { placeName } from "../../state/place.js";

interface Props {
  readonly places: readonly SessionSummary[];
  /** Undefined: the page in front. */
  readonly chosen: string | undefined;
  onChoose(id: string | undefined): void;
}

/** An app with the SDK in a shared tab is there twice: as an app and as a tab. */
function isAmbiguous(place: SessionSummary, places: readonly SessionSummary[]): boolean {
  return places.some((other) => other !== place && placeName(other) === placeName(place));
}

/** The page that the agent works in, and a switch to another. */
export function PlacePicker({ places, chosen, onChoose }: Props): ReactNode {
  const front = frontSession(places);
  const isGone = chosen !== undefined && !places.some(({ id }) => id === chosen);
  if (places.length === 0 && !isGone)
    return (
      <p className="place quiet">
        <AppWindow aria-hidden />
        <span>No page is shared. Share a tab in the Debug Bridge popup, or add the SDK to your app.</span>
      </p>
    );
  return (
    <label className="place">
      <AppWindow aria-hidden />
      <span>Works in</span>
      <select value={chosen ?? ""} onChange={(event) => onChoose(event.target.value || undefined)}>
        <option value="">{front ? `Page in front: ${placeName(front)}` : "The agent chooses"}</option>
        {places.map((place) => (
          <option key={place.id} value={place.id}>
            {placeName(place)}
            {isAmbiguous(place, places) ? ` (${place.kind})` : ""}
            {place.access?.level === "read-only" ? " (read-only)" : ""}
          </option>
        ))}
        {isGone && <option value={chosen}>{chosen} (closed)</option>}
      </select>
    </label>
  );
}
