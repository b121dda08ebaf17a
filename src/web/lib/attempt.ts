import { apiErrorOf } from "./api-error.ts";
import { toast } from "./toasts.ts";

export const errorToast =
  (title = "Error") =>
  (error: unknown): void =>
    toast({ tone: "error", title, text: apiErrorOf(error).message });

/** Shows an error in a toast. Never rejects. */
export const attempt = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    errorToast()(error);
  }
};
