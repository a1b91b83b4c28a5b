/**
 * Event names on the bus between the two scripts of a page.
 *
 * The script in the page's world sees the console. The script in the isolated world can talk to the extension. They
 * communicate over an `EventTarget` that the isolated script creates and that nobody else can reach: it is in no document
 * and in no variable of the page. It is passed as the `relatedTarget` of one event, the only kind of event member that
 * passes an object from one world to the other. That happens before the first script of the page runs, so nobody listens
 * yet. It happens on `document.fonts`, which belongs to this document alone, because a parent frame can add listeners to
 * the window of a frame that it is about to load.
 *
 * After that the page can neither read nor forge events: the isolated script listens only on its own bus, and the page's
 * script accepts only the first offer.
 */
export const OFFER = "debug-bridge-offer";

/** From the page's world: one event, as text. */
export const EVENT = "e";
/** From the page's world: events are being dropped from now on. */
export const DROPPING = "n";
/** From the isolated world: asks how many events were dropped. The answer is `DROPPED`, synchronously. */
export const COUNT = "c";
export const DROPPED = "d";
/** From the isolated world: passes the bus of the parent frame, if it has the same origin. */
export const PARENT = "p";
/** On a parent's bus, from the page's world of a frame in it: asks for what they share. */
export const SHARE = "w";
/** From the isolated world: stop reporting. */
export const STOP = "s";
