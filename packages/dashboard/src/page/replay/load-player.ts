import type { ReplayPlayer } from "./replay-player.js";

type LoadPlayer = () => Promise<typeof ReplayPlayer | undefined>;

let load: LoadPlayer = async () => undefined;

/** Says where the player comes from, which is a separate part: the dashboard loads it, a shared file holds it beside its program. */
export function providePlayer(given: LoadPlayer): void {
  load = given;
}

/** The player; `undefined` when this page has none. */
export const loadPlayer: LoadPlayer = () => load();
