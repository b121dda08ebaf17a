import { toast } from "./toasts.ts";

type Outcome = Readonly<{
  done?: Readonly<{ title: string; text?: string }>;
  /** What to do instead, where the browser does not allow it. */
  otherwise: string;
}>;

/** Copies a text to the clipboard, and says whether it worked. */
export async function copyText(text: string, { done, otherwise }: Outcome): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    toast({ tone: "error", title: "Not copied", text: otherwise });
    return false;
  }
  if (done) toast(done);
  return true;
}
