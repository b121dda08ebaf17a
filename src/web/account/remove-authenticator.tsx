/** Removing an authenticator: asked once more, because what it takes away is protection. */
import type { Factor } from "@supabase/auth-js";
<<<<<<< HEAD
import { Modal } from "@mantine/core";
import dialog from "../dashboard/dialog.module.css";
import { authClient } from "../lib/auth/session.ts";
import { Button } from "../ui/button.tsx";
=======
>>>>>>> 95969fc5a7f54bc3febc1a568f2a07d40532d9bd
import { factorName } from "../auth/codes/factor-name.ts";
import { openConfirmation } from "../dashboard/confirmation.tsx";

/**
 * Says what follows, and removes it on request; `done` is the toast for a success. The dialog closes before the removal, since the
 * server may ask for reauthentication in a dialog of its own. `last`: two-factor sign-in ends with it, and so do the recovery codes.
 */
export function confirmRemoval(factor: Factor, last: boolean, remove: (done: string) => Promise<void>): void {
  const name = factorName(factor);
<<<<<<< HEAD
  const remove = async () => {
    const done = await act(async () => (await authClient()).mfa.unenroll({ factorId: factor.id }), {
      done: last ? "Two-factor sign-in is off." : `${name} is removed.`,
    });
    if (done) onDone();
  };
  return (
    <>
      <Modal
        opened={!proof}
        onClose={onClose}
        title={last ? "Turn two-factor sign-in off" : "Remove this authenticator"}
      >
=======
  openConfirmation({
    title: last ? "Turn two-factor sign-in off" : "Remove this authenticator",
    text: (
      <>
>>>>>>> 95969fc5a7f54bc3febc1a568f2a07d40532d9bd
        <p>
          <strong>{name}</strong>
        </p>
        <p>
          {last
            ? "From then on the password alone opens your account, and your recovery codes are void."
            : "Its codes do not open your account any more. Your other authenticators and your recovery codes stay."}
        </p>
      </>
    ),
    cancel: "Keep it",
    confirm: last ? "Turn off" : "Remove",
    busy: "Removing...",
    danger: true,
    onConfirm: async () => void remove(last ? "Two-factor sign-in is off." : `${name} is removed.`),
  });
}
