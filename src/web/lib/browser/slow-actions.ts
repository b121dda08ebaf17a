import { announce } from "./announce.ts";

/** A screen reader says after this time (ms) once that an action is still running. */
const slowMs = 5_000;
const busyButton = "button[aria-busy=true]";

let isWatching = false;

/** Watches the busy buttons of all forms. What sends requests calls it, so a page without them does not load it. */
export function watchSlowActions(): void {
  if (isWatching || typeof document === "undefined") return;
  isWatching = true;
  const timers = new WeakMap<Element, ReturnType<typeof setTimeout>>();
  const follow = (button: Element) => {
    clearTimeout(timers.get(button));
    if (!button.matches(busyButton)) return;
    const remind = () => button.isConnected && announce("This takes longer than usual. Please wait.");
    timers.set(button, setTimeout(remind, slowMs));
  };
  // The first action of a page can be older than this.
  for (const button of document.querySelectorAll(busyButton)) follow(button);
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes) follow(target as Element);
  });
  observer.observe(document.body, { subtree: true, attributeFilter: ["aria-busy"] });
}
