import { type ReactNode, useState } from "react";
import { apiErrorOf } from "../../lib/api-error.ts";
import {
  isReauthenticationRefused,
  needsReauthentication,
  type Reauthentication,
} from "../../lib/auth/reauthentication.ts";
import { isComplete, ReauthenticationFields } from "./reauthentication-fields.tsx";

/** Returns the field and `run`, which resolves to false while the user must still reauthenticate. Throws other errors. */
export function useReauthentication(field: Readonly<{ name: string; hint: string }>): {
  fields: ReactNode;
  run(work: (reauthentication: Reauthentication) => Promise<unknown>): Promise<boolean>;
} {
  const [isRequested, setRequested] = useState(false);
  const [reauthentication, setReauthentication] = useState<Reauthentication>({});
  const [error, setError] = useState<string>();
  return {
    fields: isRequested ? <ReauthenticationFields {...field} error={error} onChange={setReauthentication} /> : null,
    run: async (work) => {
      if (isRequested && !isComplete(reauthentication)) return false;
      setError(undefined);
      try {
        await work(reauthentication);
        return true;
      } catch (failure) {
        if (needsReauthentication(failure) && !isRequested) setRequested(true);
        else if (isReauthenticationRefused(failure)) setError(apiErrorOf(failure).message);
        else throw failure;
        return false;
      }
    },
  };
}
