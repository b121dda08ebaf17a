/** Single-key shortcuts can be switched off, because speech input triggers them by mistake (WCAG 2.1.4). */
const storageKey = "single-keys";

export const areSingleKeysOn = (): boolean => localStorage.getItem(storageKey) !== "off";

export const setSingleKeys = (on: boolean): void => localStorage.setItem(storageKey, on ? "on" : "off");

/** Returns true if a key press is a shortcut: no modifier key, no text input, no open dialog. */
export function isSingleKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !areSingleKeysOn()) return false;
  if (document.querySelector('[role="dialog"], [role="alertdialog"], dialog[open]')) return false;
  const target = event.target instanceof HTMLElement ? event.target : undefined;
  return !target?.isContentEditable && !target?.closest("input, textarea, select");
}
