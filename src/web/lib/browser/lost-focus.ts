/** Moves the focus when its element is removed, hidden or disabled. Without this it falls to the body. */
type Focus = Readonly<{ element: HTMLElement; ancestors: readonly HTMLElement[]; path: string }>;

const focusable = "a[href], button, input, select, textarea, summary, [tabindex]";
const textField = "textarea, select, input:not([type=checkbox], [type=radio], [type=range])";
/** Components that move the focus themselves do it earlier (ms). Mantine's dialogs wait for 10 ms. */
const patienceMs = 30;
/** The user causes a change within this time (ms) of the last input. A later one, such as a live update, would move a screen reader that reads elsewhere. */
const inputMs = 10_000;
const remembered = 12;

export function watchLostFocus(): () => void {
  let current: Focus | undefined;
  let earlier: Focus[] = [];
  let lastInput: "key" | "mouse" | "touch" = "mouse";
  let inputAt = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const remember = (element: HTMLElement): Focus => {
    const ancestors: HTMLElement[] = [];
    for (let one = element.parentElement; one; one = one.parentElement) ancestors.push(one);
    const focus = { element, ancestors, path: location.pathname };
    earlier = [...earlier.filter((other) => other.element !== element), focus].slice(-remembered);
    return focus;
  };
  const restore = () => {
    timer = undefined;
    if (!current || hasFocus(isUsable)) return;
    // A click on an empty part of the page removes the focus on purpose.
    if (isUsable(current.element) || performance.now() - inputAt > inputMs) {
      current = undefined;
      return;
    }
    earlier = earlier.filter(({ path }) => path === location.pathname);
    const target = findTarget([current, ...earlier.toReversed()], lastInput === "touch");
    current = undefined;
    target?.focus({ preventScroll: true });
    if (lastInput === "key" && target?.matches(focusable)) target.scrollIntoView?.({ block: "nearest" });
  };
  const schedule = () => {
    if (current && !hasFocus(isEnabled)) timer ??= setTimeout(restore, patienceMs);
  };
  const onFocusIn = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && target !== document.body) current = remember(target);
  };
  const onInput = (kind: typeof lastInput) => {
    lastInput = kind;
    inputAt = performance.now();
  };
  const onPointerDown = ({ pointerType }: PointerEvent) => onInput(pointerType === "touch" ? "touch" : "mouse");
  // Safari does not focus a clicked button.
  const onClick = ({ target }: MouseEvent) => {
    const clicked = target instanceof Element ? target.closest<HTMLElement>(focusable) : null;
    if (clicked) remember(clicked);
    inputAt = performance.now();
  };
  const observer = new MutationObserver(schedule);
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  document.addEventListener("focusin", onFocusIn, options);
  document.addEventListener("focusout", () => setTimeout(schedule), options);
  document.addEventListener("keydown", () => onInput("key"), options);
  document.addEventListener("pointerdown", onPointerDown, options);
  document.addEventListener("click", onClick, options);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled", "inert", "hidden"] });
  if (hasFocus(isUsable) && document.activeElement instanceof HTMLElement) current = remember(document.activeElement);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    listening.abort();
  };
}

const hasFocus = (isValid: (element: Element) => boolean): boolean =>
  document.activeElement !== null && document.activeElement !== document.body && isValid(document.activeElement);

const isEnabled = (element: Element): boolean =>
  element.isConnected && !element.matches(":disabled") && !element.closest("[inert], [hidden]");

const isUsable = (element: Element): boolean =>
  isEnabled(element) && (element.checkVisibility?.({ visibilityProperty: true }) ?? true);

/** Returns the last focused element near the lost one, otherwise the nearest heading. Stays in an open dialog. */
function findTarget(trail: readonly Focus[], isTouch: boolean): HTMLElement | undefined {
  const dialog = [...document.querySelectorAll<HTMLElement>("[aria-modal=true], dialog[open]")].findLast(isUsable);
  const within = dialog ?? document.body;
  // A text field would open the keyboard of a phone.
  const mayTakeFocus = (element: HTMLElement, lost: Focus): boolean =>
    isUsable(element) &&
    within.contains(element) &&
    !lost.ancestors.includes(element) &&
    !(isTouch && element.matches(textField));
  for (const lost of trail) {
    if (mayTakeFocus(lost.element, lost)) return lost.element;
    for (const area of areasOf(lost, dialog)) {
      const last = trail.find(({ element }) => area.contains(element) && mayTakeFocus(element, lost));
      const target = last?.element ?? headingIn(area);
      if (target) return target;
    }
  }
  return headingIn(within);
}

/** Returns the areas of the page around an element, smallest first. None outside the main part or the dialog: what opened it is nearer. */
function areasOf({ ancestors }: Focus, dialog: HTMLElement | undefined): readonly HTMLElement[] {
  const present = ancestors.filter((one) => one.isConnected);
  return present.slice(0, present.findIndex((one) => (dialog ? one === dialog : one.tagName === "MAIN")) + 1);
}

function headingIn(area: HTMLElement): HTMLElement | undefined {
  const heading = [...area.querySelectorAll<HTMLElement>("h1, h2")].find(isUsable);
  if (heading) heading.tabIndex = -1;
  return heading;
}
