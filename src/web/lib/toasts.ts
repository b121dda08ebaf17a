/** The toasts: one small store for the whole site, without Mantine. */

/** An action while the toast is visible, usually undo. The page offers the same elsewhere, for slower users. */
type ToastAction = Readonly<{ label: string; run(): void }>;

export type Toast = Readonly<{
  id: number;
  tone: "done" | "error";
  title: string;
  text: string | undefined;
  action: ToastAction | undefined;
}>;

/** The visible time in milliseconds, and the maximum number (specification, section 9). Lasting messages belong on the page. */
export const toastMs = 4_000;
export const maxToasts = 3;

let shown: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a toast below the others. The oldest is removed for a fourth, and a success removes all errors. */
export function toast(message: {
  tone?: "done" | "error";
  title: string;
  text?: string | undefined;
  action?: ToastAction;
}): void {
  const { tone = "done", title, text, action } = message;
  const others = tone === "done" ? shown.filter((one) => one.tone !== "error") : shown;
  show([...others, { id: ++lastId, tone, title, text, action }].slice(-maxToasts));
}

export const closeToast = (id: number): void => show(shown.filter((one) => one.id !== id));

export const closeErrors = (): void => show(shown.filter((one) => one.tone !== "error"));

export const toastsNow = (): readonly Toast[] => shown;

export function watchToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
