import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorMessageOf, showError } from "../auth/error-message.ts";
import { withReauthentication } from "../dashboard/dialogs/reauthentication-dialog.tsx";
import { apiErrorOf } from "../lib/api-error.ts";
import { orpc } from "../lib/api/query.ts";
import { toast } from "../lib/toasts.ts";

type Response = { error: { message: string; code?: string | undefined } | null };
type Options = Readonly<{
  done?: string;
  /** Shows an error at the field that it concerns. `code` identifies it. Without this callback, errors are shown in a toast. */
  onError?: (message: string, code: string) => void;
}>;

export type RunAction = (work: () => Promise<Response>, options?: Options) => Promise<boolean>;

/** Runs one action at a time, with reauthentication if required. Busy until the account reloads, to avoid a form reset. Resolves to true on success. */
export function useAccountAction(): { busy: boolean; runAction: RunAction } {
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const runAction: RunAction = async (work, { done, onError } = {}) => {
    setBusy(true);
    try {
      const worked = await withReauthentication(async () => throwError(await work()));
      if (!worked) return false;
      await Promise.all([
        queries.invalidateQueries({ queryKey: orpc.users.me.key() }),
        queries.invalidateQueries({ queryKey: ["account"] }),
      ]);
      if (done) toast({ title: "Saved", text: done });
      return true;
    } catch (error) {
      if (onError) onError(errorMessageOf(error), apiErrorOf(error).code);
      else showError(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, runAction };
}

function throwError({ error }: Response): void {
  if (error) throw error;
}
