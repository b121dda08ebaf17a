import { toast } from "./toasts.ts";

/** Copies the number of a booking, and says so. */
export async function copyNumber(number: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(number);
    toast({ title: "Copied", text: number });
  } catch {
    toast({ tone: "error", title: "Error", text: `The number could not be copied: ${number}` });
  }
}
