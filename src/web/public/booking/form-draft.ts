/** Stores a form's values in the tab until the request succeeds. They never leave the tab. */
import { formFields, type FormField } from "#bookings/rules.ts";

const keyOf = (slug: string) => `booking-form:${slug}`;

type Draft = Partial<Record<FormField, string>>;

export function saveDraft(slug: string, form: HTMLFormElement): void {
  const values = new FormData(form);
  const draft: Draft = {};
  for (const name of formFields) {
    const value = values.get(name);
    if (typeof value === "string" && value) draft[name] = value;
  }
  withStorage((storage) => storage.setItem(keyOf(slug), JSON.stringify(draft)));
}

export function restoreDraft(slug: string, form: HTMLFormElement): void {
  const draft = withStorage((storage) => readDraft(storage.getItem(keyOf(slug)))) ?? {};
  for (const name of formFields) {
    const field = form.elements.namedItem(name);
    const value = draft[name];
    if (
      value &&
      (field instanceof HTMLInputElement ||
        field instanceof HTMLTextAreaElement ||
        field instanceof HTMLSelectElement) &&
      !field.value
    )
      field.value = value;
  }
}

export function clearDraft(slug: string): void {
  withStorage((storage) => storage.removeItem(keyOf(slug)));
}

function readDraft(text: string | null): Draft | undefined {
  const value: unknown = text ? JSON.parse(text) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => typeof entry === "string"));
}

/** Returns undefined if storage is disabled, full, or has another version's data. */
function withStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(window.sessionStorage);
  } catch {
    return undefined;
  }
}
