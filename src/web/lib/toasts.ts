/** The messages at the edge of the screen: one small store for the whole site, without a kit. */

export type Toast = Readonly<{ id: number; tone: "done" | "error"; title: string; text: string | undefined }>;

/** A success goes by itself after 4 s; an error stays until it is closed. At most three are seen (specification, section 9). */
export const toastMs = 4_000;
export const mostToasts = 3;

let shown: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a message, the newest lowest. The oldest makes room for a fourth. */
export function toast(message: { tone?: "done" | "error"; title: string; text?: string | undefined }): void {
  const { tone = "done", title, text } = message;
  show([...shown, { id: ++lastId, tone, title, text }].slice(-mostToasts));
}

/** Takes a message away. */
export const closeToast = (id: number): void => show(shown.filter((one) => one.id !== id));

/** Takes all errors away: what they told of is being tried again. */
export const closeErrors = (): void => show(shown.filter((one) => one.tone !== "error"));

export const toastsNow = (): readonly Toast[] => shown;

/** Tells a listener about every change; returns how to stop. */
export function watchToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
