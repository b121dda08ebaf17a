/** "Confirm the show" on a guest's page: the consequences, then the action. Plain elements, because the page is public. */
import { useId, useRef } from "react";
import { confirmShowText } from "../../booking/actions/confirm-show-text.ts";
import dialogStyles from "../../booking/cancellation/cancellation.module.css";
import { Button } from "../../ui/button.tsx";

type Props = Readonly<{ artist: string; busy: boolean; onConfirm(): Promise<void> }>;

export function ConfirmShow({ artist, busy, onConfirm }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  return (
    <>
      <Button onClick={() => dialog.current?.showModal()} aria-haspopup="dialog">
        Confirm the show
      </Button>
      <dialog ref={dialog} className={dialogStyles.dialog} aria-labelledby={title}>
        <h2 id={title}>Confirm the show</h2>
        <p>{confirmShowText(artist)}</p>
        <div className={dialogStyles.actions}>
          <Button tone="line" onClick={() => dialog.current?.close()}>
            Not yet
          </Button>
          <Button busy={busy} busyLabel="Confirming..." onClick={() => void onConfirm()}>
            The show was played
          </Button>
        </div>
      </dialog>
    </>
  );
}
