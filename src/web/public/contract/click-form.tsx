/** In place of the signature form, for a promoter whose settings ask for no signature: consent and one click. */
import { type SubmitEvent, useState } from "react";
import { apiErrorOf } from "../../lib/api-error.ts";
import { closeErrors, toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { Decline } from "./signature-form.tsx";
import styles from "./sign.module.css";
import type { ShownContract } from "./use-signing.ts";

type Props = Readonly<{
  contract: ShownContract;
  onAccept(): Promise<void>;
  onDecline(reason: string): Promise<void>;
}>;

export function ClickForm({ contract, onAccept, onDecline }: Props) {
  const [consent, setConsent] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    if (!consent) {
      setWrong("Agree to the electronic contract.");
      return event.currentTarget.querySelector<HTMLElement>('[name="consent"]')?.focus();
    }
    setWrong(undefined);
    setBusy(true);
    closeErrors();
    try {
      await onAccept();
    } catch (error) {
      toast({ tone: "error", title: "Error", text: apiErrorOf(error).message });
    }
    setBusy(false);
  };
  return (
    <div className={styles.your} id="signature">
      <form noValidate onSubmit={(event) => void submit(event)} aria-label="Your acceptance">
        <h2>Your acceptance</h2>
        <p>Your settings require no signature. Accepting this document binds you like a signature.</p>
        <label className={styles.agree}>
          <input
            type="checkbox"
            name="consent"
            checked={consent}
            aria-invalid={wrong ? true : undefined}
            aria-describedby={wrong ? "consent-error" : undefined}
            onChange={(event) => setConsent(event.target.checked)}
          />
          <span>
            I have read the contract ({contract.document?.pages} pages,{" "}
            <span className={styles.number}>{contract.number}</span>) and agree to conclude it electronically.
          </span>
        </label>
        {wrong ? (
          <p className={styles.wrong} id="consent-error">
            {wrong}
          </p>
        ) : null}
        <Button type="submit" size="big" wide busy={busy} busyLabel="Accepting...">
          I accept
        </Button>
        <p className="small quiet">
          We keep the time, your IP address, your browser and the document's hash with your acceptance, as proof.
        </p>
      </form>
      <Decline contract={contract} onDecline={onDecline} />
    </div>
  );
}
