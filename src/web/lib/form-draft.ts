/** Stores a form's values in the tab until they are sent, or the user signs out. They never leave the tab. */

import { type SyntheticEvent, useEffect, useRef } from "react";

const prefix = "draft:";

export const bookingForm = (slug: string): string => `booking-form:${slug}`;

export function saveDraft(name: string, form: HTMLFormElement): void {
  const draft = Object.fromEntries(new FormData(form));
  withStorage((storage) => storage.setItem(prefix + name, JSON.stringify(draft)));
}

/** Fills the fields that are still empty, and the lists that show their first choice. */
export function restoreDraft(name: string, form: HTMLFormElement): void {
  const draft = withStorage((storage): unknown => JSON.parse(storage.getItem(prefix + name) ?? "{}"));
  for (const [fieldName, value] of Object.entries(draft ?? {})) {
    const field = form.elements.namedItem(fieldName);
    const isFirst = field instanceof HTMLSelectElement && field.selectedIndex === 0;
    if (typeof value === "string" && field && "value" in field && (isFirst || !field.value)) field.value = value;
  }
}

export function clearDraft(name: string): void {
  withStorage((storage) => storage.removeItem(prefix + name));
}

/** The next user of this tab must not see what the last one typed. */
export function clearDrafts(): void {
  withStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
  });
}

/** Returns the props of a form that keeps its draft, and `clear` for when it was sent. */
export function useFormDraft(name: string) {
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (ref.current) restoreDraft(name, ref.current);
  }, [name]);
  const onChange = ({ currentTarget }: SyntheticEvent<HTMLFormElement>) => saveDraft(name, currentTarget);
  return { props: { ref, onChange }, clear: () => clearDraft(name) };
}

/** Returns undefined if storage is disabled, full, or has another version's data. */
function withStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(window.sessionStorage);
  } catch {
    return undefined;
  }
}
