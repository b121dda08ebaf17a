import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorMessageOf } from "../auth/error-message.ts";
import { withReauthentication } from "../dashboard/dialogs/reauthentication-dialog.tsx";
import { apiErrorOf } from "../lib/api-error.ts";
import { orpc } from "../lib/api/query.ts";
import type { Reauthentication } from "../lib/auth/reauthentication.ts";
import { toast } from "../ui/toaster.tsx";

type Response = { error: { message: string; code?: string | undefined } | null };
type Options = Readonly<{
  done?: string;
  /** A hosted service takes its own code beside the change, and no password. */
  codeOnly?: boolean;
  /** Shows the message of a failure, at the field that it is about; `code` names it. A toast when it is missing. */
  onError?: (message: string, code: string) => void;
}>;

/**
 * Runs one action on the account at a time. It is busy until the account has been read again, so that no form is redrawn while
 * somebody types. The server may ask for reauthentication; any other error is shown in its own words. Resolves with whether the
 * action was done.
 */
export function useAccountAction(): {
  busy: boolean;
  runAction(work: (reauthentication: Reauthentication) => Promise<Response>, options?: Options): Promise<boolean>;
} {
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const runAction = async (
    work: (reauthentication: Reauthentication) => Promise<Response>,
    { done, codeOnly = false, onError = showError }: Options = {},
  ) => {
    setBusy(true);
    try {
      const worked = await withReauthentication(async (given) => throwError(await work(given)), { codeOnly });
      if (!worked) return false;
      await Promise.all([
        queries.invalidateQueries({ queryKey: orpc.users.me.key() }),
        queries.invalidateQueries({ queryKey: ["account"] }),
      ]);
      if (done) toast({ title: "Saved", text: done });
      return true;
    } catch (error) {
      onError(errorMessageOf(error), apiErrorOf(error).code);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, runAction };
}

const showError = (message: string) => toast({ tone: "error", title: "Error", text: message });

function throwError({ error }: Response): void {
  if (error) throw error;
}
