/** Stores a form's values in the tab until the request succeeds. They never leave the tab. */

const keyOf = (slug: string) => `booking-form:${slug}`;

export function saveDraft(slug: string, form: HTMLFormElement): void {
  const draft = Object.fromEntries(new FormData(form));
  withStorage((storage) => storage.setItem(keyOf(slug), JSON.stringify(draft)));
}

export function restoreDraft(slug: string, form: HTMLFormElement): void {
  const draft = withStorage((storage): unknown => JSON.parse(storage.getItem(keyOf(slug)) ?? "{}"));
  for (const [name, value] of Object.entries(draft ?? {})) {
    const field = form.elements.namedItem(name);
    if (typeof value === "string" && field && "value" in field && !field.value) field.value = value;
  }
}

export function clearDraft(slug: string): void {
  withStorage((storage) => storage.removeItem(keyOf(slug)));
}

/** Returns undefined if storage is disabled, full, or has another version's data. */
function withStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(window.sessionStorage);
  } catch {
    return undefined;
  }
}
