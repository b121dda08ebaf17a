/** Removing an authenticator: asked once more, because what it takes away is protection. */
import type { Factor } from "@supabase/auth-js";
import { Modal } from "@mantine/core";
import dialog from "../dashboard/dialog.module.css";
import { authClient } from "../lib/auth/session.ts";
import { Button } from "../ui/button.tsx";
import { factorName } from "../auth/codes/factor-name.ts";
import { useAccountAction } from "./use-account-action.ts";

type Props = Readonly<{
  factor: Factor;
  /** The only one: two-factor sign-in ends with it, and so do the recovery codes. */
  last: boolean;
  onDone(): void;
  onClose(): void;
}>;

/** Says what follows, and removes it. The proof is asked for afterwards, when the server wants one. */
export function RemoveAuthenticator({ factor, last, onDone, onClose }: Props) {
  const { busy, act, dialog: proof } = useAccountAction();
  const name = factorName(factor);
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
        <p>
          <strong>{name}</strong>
        </p>
        <p className={dialog.text}>
          {last
            ? "From then on the password alone opens your account, and your recovery codes are void."
            : "Its codes do not open your account any more. Your other authenticators and your recovery codes stay."}
        </p>
        <div className={dialog.acts}>
          <Button tone="line" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button busy={busy} busyLabel="Removing..." onClick={() => void remove()}>
            {last ? "Turn off" : "Remove"}
          </Button>
        </div>
      </Modal>
      {proof}
    </>
  );
}
