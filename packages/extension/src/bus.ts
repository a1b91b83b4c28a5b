/**
 * Names on the bus between the two scripts of a page.
 *
 * The script in the page's world sees the console, the one in the isolated world may talk to the extension. They meet
 * through an `EventTarget` that the isolated one creates and that nobody else can get hold of: it is in no document and
 * in no variable of the page. It is handed over as the `relatedTarget` of one event, the only kind of event member that
 * passes an object from one world to the other. That happens before the first script of the page runs, so there is
 * nobody to listen; and on `document.fonts`, which belongs to this document alone, since a parent frame can put
 * listeners on the window of a frame that it is about to load.
 *
 * From there the page can neither read nor forge: the isolated script listens on nothing but its own bus, and the
 * page's script takes the first offer only.
 */
export const OFFER = "debug-bridge-offer";

/** From the page's world: one event, as text. */
export const EVENT = "e";
/** From the page's world: events are being dropped from now on. */
export const DROPPING = "n";
/** From the isolated world: asks how many events were dropped. The answer is `DROPPED`, at once. */
export const COUNT = "c";
export const DROPPED = "d";
/** From the isolated world: here is the bus of the frame around this one, when it has the same origin. */
export const PARENT = "p";
/** On a parent's bus, from the page's world of a frame in it: asks for what they are to share (see family.ts). */
export const SHARE = "w";
/** From the isolated world: report nothing any more. */
export const STOP = "s";
