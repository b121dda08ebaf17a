import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useReauthentication } from "../dashboard/reauthentication-dialog.tsx";
import type { Reauthentication } from "../lib/auth/reauthentication.ts";
import { orpc } from "../lib/api/query.ts";
import { toast } from "../ui/toaster.tsx";
import { errorMessageOf } from "../auth/error-message.ts";

type Answer = { error: { message: string; code?: string | undefined } | null };
type Options = Readonly<{
  /** What is said when it worked. */
  done?: string;
  /** The server takes a code as proof, no password. */
  codeOnly?: boolean;
}>;

/**
 * Runs one action on the account at a time: busy until the person has been read anew, so that no form is redrawn under
 * somebody who types. Reauthentication is asked for in `dialog` when the server wants one; any other error is said in its own
 * message. Answers whether it was done.
 */
export function useAccountAction(): {
  busy: boolean;
  dialog: ReactNode;
  runAction(work: (reauthentication: Reauthentication) => Promise<Answer>, options?: Options): Promise<boolean>;
} {
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const { withReauthentication, dialog } = useReauthentication();
  const runAction = async (
    work: (reauthentication: Reauthentication) => Promise<Answer>,
    { done, codeOnly = false }: Options = {},
  ) => {
    setBusy(true);
    try {
      const worked = await withReauthentication(async (reauthentication) => failing(await work(reauthentication)), {
        codeOnly,
      });
      if (!worked) return false;
      await Promise.all([
        queries.invalidateQueries({ queryKey: orpc.users.me.key() }),
        queries.invalidateQueries({ queryKey: ["account"] }),
      ]);
      if (done) toast({ title: "Saved", text: done });
      return true;
    } catch (error) {
      toast({ tone: "error", title: "Error", text: errorMessageOf(error) });
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, runAction, dialog };
}

function failing({ error }: Answer): void {
  if (error) throw error;
}
