import { useState } from "react";
import { type ApiError, apiErrorOf } from "../../lib/api-error.ts";
import type { browserApi } from "../../lib/api/browser-api.ts";
import { toast } from "../../lib/toasts.ts";

type Api = typeof browserApi;

/** Runs one action at a time. `run` resolves to true on success. Otherwise `error` has the server's reason, and the page reloads. */
export function useForceMajeure(onChanged: () => void) {
  const [error, setError] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const run = async (
    action: (api: Api) => Promise<unknown>,
    done: { title: string; text: string },
  ): Promise<boolean> => {
    if (busy) return false;
    setBusy(true);
    setError(undefined);
    try {
      await action((await import("../../lib/api/browser-api.ts")).browserApi);
      toast(done);
      onChanged();
      return true;
    } catch (failure) {
      setError(apiErrorOf(failure));
      onChanged();
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { error, busy, run };
}
