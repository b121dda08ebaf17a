import { useState } from "react";
import { apiErrorOf } from "./api-error.ts";
import { errorToast } from "./attempt.ts";
import { closeErrors } from "./toasts.ts";

/** Reports a form's failed request in a toast. `lost` is the message of a request that can be sent again later, which stays at the form. */
export function useRequestError() {
  const [lost, setLost] = useState<string>();
  const report = (error: unknown): void => {
    const { status = 500, message } = apiErrorOf(error);
    setLost(status === 401 || status === 429 || status >= 500 ? message : undefined);
    errorToast()(error);
  };
  const clear = () => {
    setLost(undefined);
    closeErrors();
  };
  return { lost, report, clear };
}
