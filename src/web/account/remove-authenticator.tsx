import type { Factor } from "@supabase/auth-js";
import { factorName } from "../auth/codes/factor-name.ts";
import { openConfirmation } from "../dashboard/dialogs/confirmation.tsx";
import { authClient } from "../lib/auth/session.ts";
import type { RunAction } from "./use-account-action.ts";

type Account = Readonly<{ runAction: RunAction; onChange(): Promise<void> }>;

/** Confirms and removes a factor. The dialog closes first, because the server may require reauthentication. `last`: the recovery codes are removed too. */
export function confirmRemoval(factor: Factor, last: boolean, { runAction, onChange }: Account): void {
  const name = factorName(factor);
  const isPasskey = factor.factor_type === "webauthn";
  const done = isPasskey ? "The passkey was removed." : last ? "Two-factor sign-in is off." : `${name} is removed.`;
  const remove = async () => {
    const unenroll = async () => (await authClient()).mfa.unenroll({ factorId: factor.id });
    if (await runAction(unenroll, { done })) await onChange();
  };
  openConfirmation({
    title: isPasskey ? "Remove passkey" : last ? "Turn two-factor sign-in off" : "Remove this authenticator",
    text: (
      <>
        <p>
          <strong>{name}</strong>
        </p>
        <p>
          {last
            ? `After that, ${isPasskey ? "the password or an emailed code" : "the password"} is enough to sign in, and your recovery codes no longer work.`
            : "You can no longer sign in with it. Your other second factors and your recovery codes still work."}
        </p>
        {isPasskey ? <p>Your device keeps its entry until you delete it there.</p> : null}
      </>
    ),
    cancel: "Keep it",
    confirm: last && !isPasskey ? "Turn off" : "Remove",
    busy: "Removing...",
    danger: true,
    onConfirm: async () => void remove(),
  });
}
