/** Where a page draws its library. */
export const app = document.querySelector("#app");

const state = document.querySelector("#state");

/** Shows what the library reported to the app. */
export function say(text) {
  state.textContent = `state: ${text}`;
}
