import { makeStore } from "./store.ts";

/** An action while the toast is visible, usually undo. The page offers the same elsewhere, for slower users. */
type ToastAction = Readonly<{ label: string; run(): void }>;

export type Toast = Readonly<{
  id: number;
  tone: "done" | "error";
  title: string;
  text: string | undefined;
  action: ToastAction | undefined;
}>;

export type Message = Pick<Toast, "title"> & Partial<Pick<Toast, "tone" | "text" | "action">>;

/** The visible time in milliseconds, and the maximum number. Lasting messages belong on the page. */
export const toastMs = 4_000;
const maxToasts = 3;

const store = makeStore<readonly Toast[]>([]);
let lastId = 0;

/** Shows a toast below the others. The oldest is removed for a fourth, and a success removes all errors. */
export function toast({ tone = "done", title, text, action }: Message): void {
  const others = tone === "done" ? withoutErrors() : store.get();
  store.set([...others, { id: ++lastId, tone, title, text, action }].slice(-maxToasts));
}

const withoutErrors = () => store.get().filter((one) => one.tone !== "error");

export const closeToast = (id: number): void => store.set(store.get().filter((one) => one.id !== id));

export const closeErrors = (): void => store.set(withoutErrors());

export const currentToasts = store.get;

export const useToasts = (): readonly Toast[] => store.useValue((toasts) => toasts);
