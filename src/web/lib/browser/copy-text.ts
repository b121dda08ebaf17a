import { toast } from "../toasts.ts";

type Outcome = Readonly<{
  done?: Readonly<{ title: string; text?: string }>;
  otherwise: string;
}>;

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

export const copyNumber = (number: string) =>
  copyText(number, { done: { title: "Copied", text: number }, otherwise: `The number is ${number}` });
