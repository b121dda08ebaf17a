import { useState } from "react";
import { apiErrorOf } from "./api-error.ts";
import { errorToast } from "./attempt.ts";
import { closeErrors } from "./toasts.ts";

/** Reports a form's failed request in a toast. `lost` is the message of a failure that no field shows, which stays at the form. */
export function useRequestError() {
  const [lost, setLost] = useState<string>();
  const report = (error: unknown): void => {
    const { fields, message } = apiErrorOf(error);
    setLost(Object.keys(fields).length === 0 ? message : undefined);
    errorToast()(error);
  };
  const clear = () => {
    setLost(undefined);
    closeErrors();
  };
  return { lost, report, clear };
}
