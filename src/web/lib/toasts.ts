/** The messages at the edge of the screen: one small store for the whole site, without Mantine. */

/** What can be done about it while the message is seen: undo, mostly. The page offers the same in another way, for whoever is slower. */
type ToastAction = Readonly<{ label: string; run(): void }>;

export type Toast = Readonly<{
  id: number;
  tone: "done" | "error";
  title: string;
  text: string | undefined;
  action: ToastAction | undefined;
}>;

/** How long a message stays, in milliseconds, and how many are seen at once (specification, section 9). What must stay is said in the page. */
export const toastMs = 4_000;
export const mostToasts = 3;

let shown: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Shows a message, the newest lowest. The oldest makes room for a fourth. No error survives into the next success. */
export function toast(message: {
  tone?: "done" | "error";
  title: string;
  text?: string | undefined;
  action?: ToastAction;
}): void {
  const { tone = "done", title, text, action } = message;
  const others = tone === "done" ? shown.filter((one) => one.tone !== "error") : shown;
  show([...others, { id: ++lastId, tone, title, text, action }].slice(-mostToasts));
}

export const closeToast = (id: number): void => show(shown.filter((one) => one.id !== id));

export const closeErrors = (): void => show(shown.filter((one) => one.tone !== "error"));

export const toastsNow = (): readonly Toast[] => shown;

export function watchToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
