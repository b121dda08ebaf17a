/** Replaces the signature form for a promoter whose settings require no signature: consent and one click. */

import { type SubmitEvent, useState } from "react";
import { attempt } from "../../../lib/attempt.ts";
import { closeErrors } from "../../../lib/toasts.ts";
import { Button } from "../../../ui/button.tsx";
import type { ContractResponse } from "../use-signing.ts";
import { Consent } from "./consent.tsx";
import styles from "../sign.module.css";

type Props = Readonly<{ contract: ContractResponse; busy: boolean; onAccept(): Promise<void> }>;

export function ClickForm({ contract, busy, onAccept }: Props) {
  const [consent, setConsent] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    if (!consent) {
      setWrong("Agree to the electronic contract.");
      return event.currentTarget.querySelector<HTMLElement>('[name="consent"]')?.focus();
    }
    setWrong(undefined);
    closeErrors();
    await attempt(onAccept);
  };
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)} aria-label="Your acceptance">
      <p>No signature needed. Pressing “I accept” is just as binding.</p>
      <Consent contract={contract} checked={consent} error={wrong} onChange={setConsent}>
        agree to conclude it electronically
      </Consent>
      <Button type="submit" size="big" wide busy={busy} busyLabel="Accepting...">
        I accept
      </Button>
      <p className="small quiet">We store the time, your IP address and browser with your acceptance, as proof.</p>
    </form>
  );
}
