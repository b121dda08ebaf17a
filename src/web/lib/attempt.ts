import { apiErrorOf } from "./api-error.ts";
import { toast } from "./toasts.ts";

/** Returns a function that shows a failure in a toast, in the server's words. */
export const errorToast =
  (title = "Error") =>
  (error: unknown): void =>
    toast({ tone: "error", title, text: apiErrorOf(error).message });

/** Does the work and shows its failure in a toast. Resolves in both cases. */
export const attempt = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    errorToast()(error);
  }
};
