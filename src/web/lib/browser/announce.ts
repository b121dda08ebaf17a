/** A region that exists before its message, because screen readers may miss a region that arrives with its text. */
let region: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The time (ms) for a screen reader to find the region, and until the text, which repeats the page, is removed. */
const delayMs = 100;
const shownMs = 2_000;

/** Speaks a message where the page changes and the focus stays. */
export function announce(message: string): void {
  if (!region) {
    region = document.createElement("div");
    region.className = "sr";
    region.setAttribute("aria-live", "polite");
  }
  // An open dialog hides the rest of the page.
  const place = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  if (region.parentElement !== place) place.append(region);
  const spoken = region;
  clearTimeout(timer);
  spoken.textContent = "";
  timer = setTimeout(() => {
    spoken.textContent = message;
    timer = setTimeout(() => (spoken.textContent = ""), shownMs);
  }, delayMs);
}

/** Moves the focus to an invalid field. A field that has the focus already would not be read again, so its message is spoken. */
export function focusInvalid(input: HTMLElement | null | undefined, message: unknown): void {
  if (input && input !== document.activeElement) input.focus();
  else if (typeof message === "string") announce(message);
}
