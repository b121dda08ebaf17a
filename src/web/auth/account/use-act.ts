import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { orpc } from "../../lib/query.ts";
import { toast } from "../../ui/toaster.tsx";
import { sentenceOf } from "../sentence.ts";

type Answer = { error: { message: string; code?: string | undefined } | null };

/**
 * Runs one act on the account at a time: busy until the person has been read anew, so that no form is redrawn under
 * somebody who types; the server's sentence when it is refused. Answers with the refusal's code, or undefined when it worked.
 */
export function useAct(): {
  busy: boolean;
  act(work: () => Promise<Answer>, done?: string): Promise<string | undefined>;
} {
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const act = async (work: () => Promise<Answer>, done?: string) => {
    setBusy(true);
    const { error } = await work();
    if (error) {
      setBusy(false);
      if (error.code !== "reauthentication_needed") toast({ tone: "error", title: "Error", text: sentenceOf(error) });
      return error.code ?? "unexpected_failure";
    }
    await Promise.all([
      queries.invalidateQueries({ queryKey: orpc.users.me.key() }),
      queries.invalidateQueries({ queryKey: ["account"] }),
    ]);
    setBusy(false);
    if (done) toast({ title: "Saved", text: done });
    return undefined;
  };
  return { busy, act };
}
