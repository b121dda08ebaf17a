import { apiErrorOf } from "./api-error.ts";
import { type Message, toast } from "./toasts.ts";

export const errorToast =
  (title = "Error") =>
  (error: unknown): void =>
    toast({ tone: "error", title, text: apiErrorOf(error).message });

/** Shows `done` or an error in a toast. Never rejects. */
export const attempt = async (work: () => Promise<unknown>, done?: Message, failed?: string): Promise<void> => {
  try {
    await work();
    if (done) toast(done);
  } catch (error) {
    errorToast(failed)(error);
  }
};
