import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useReauthentication } from "../dashboard/reauthentication-dialog.tsx";
import type { Proof } from "../lib/auth/reauthentication.ts";
import { orpc } from "../lib/api/query.ts";
import { toast } from "../ui/toaster.tsx";
import { errorMessageOf } from "../auth/error-message.ts";

type Answer = { error: { message: string; code?: string | undefined } | null };
type Wish = Readonly<{
  /** What is said when it worked. */
  done?: string;
  /** A hosted service takes its own code beside the change, and no password. */
  codeOnly?: boolean;
  /** Says a refusal at its field; true when it has. Others are said in a toast. */
  refused?(error: unknown): boolean;
}>;

/**
 * Runs one act on the account at a time: busy until the person has been read anew, so that no form is redrawn under
 * somebody who types. A fresh proof is asked for in `dialog` when the server wants one; any other refusal is said in its own
 * sentence. Answers whether it was done.
 */
export function useAccountAction(): {
  busy: boolean;
  dialog: ReactNode;
  act(work: (proof: Proof) => Promise<Answer>, wish?: Wish): Promise<boolean>;
} {
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const { withReauthentication, dialog } = useReauthentication();
  const act = async (work: (proof: Proof) => Promise<Answer>, { done, codeOnly = false, refused }: Wish = {}) => {
    setBusy(true);
    try {
      const worked = await withReauthentication(async (proof) => failing(await work(proof)), { codeOnly });
      if (!worked) return false;
      await Promise.all([
        queries.invalidateQueries({ queryKey: orpc.users.me.key() }),
        queries.invalidateQueries({ queryKey: ["account"] }),
      ]);
      if (done) toast({ title: "Saved", text: done });
      return true;
    } catch (error) {
      if (refused?.(error)) return false;
      toast({ tone: "error", title: "Error", text: errorMessageOf(error) });
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, act, dialog };
}

function failing({ error }: Answer): void {
  if (error) throw error;
}
