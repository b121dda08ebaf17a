import { type SubmitEvent, useState } from "react";
import { errorToast } from "../../../lib/attempt.ts";
import { goToAddress } from "../../../lib/browser/leave-site.ts";
import { closeErrors } from "../../../lib/toasts.ts";
import { useRequestError } from "../../../lib/use-request-error.ts";
import { Button } from "../../../ui/button.tsx";
import { LostRequest } from "../../../ui/states/lost-request.tsx";
import type { ContractResponse } from "../use-signing.ts";
import { Consent } from "./consent.tsx";
import styles from "../sign.module.css";

type Props = Readonly<{ contract: ContractResponse; busy: boolean; onAccept(): Promise<void> }>;

/** Replaces the signature form for a promoter whose settings require no signature: consent and one click. */
export function ClickForm({ contract, busy, onAccept }: Props) {
  const [consent, setConsent] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const { lost, report, clear } = useRequestError();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    if (!consent) {
      setWrong("Agree to the electronic contract.");
      return event.currentTarget.querySelector<HTMLElement>('[name="consent"]')?.focus();
    }
    setWrong(undefined);
    clear();
    await onAccept().catch(report);
  };
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)} aria-label="Your acceptance">
      <p>No signature needed. Pressing “I accept” is just as binding.</p>
      <Consent contract={contract} checked={consent} error={wrong} onChange={setConsent}>
        agree to conclude it electronically
      </Consent>
      <LostRequest message={lost} />
      <Button type="submit" size="big" wide busy={busy} busyLabel="Accepting...">
        I accept
      </Button>
      <p className="small quiet">We store the time, your IP address and browser with your acceptance, as proof.</p>
    </form>
  );
}

type ServiceProps = Readonly<{
  service: string;
  /** Requests this party's own address. It expires soon, so it is requested on click. */
  findLink(): Promise<string>;
}>;

/** Replaces the signature form if an external service presents the contract: the link to it. */
export function ServiceSigning({ service, findLink }: ServiceProps) {
  const [busy, setBusy] = useState(false);
  const go = async () => {
    setBusy(true);
    closeErrors();
    try {
      goToAddress(await findLink());
    } catch (error) {
      errorToast()(error);
      setBusy(false);
    }
  };
  return (
    <div className={styles.form}>
      <p>You sign this contract at {service}. It is the same document. You come back to this page afterwards.</p>
      <Button size="big" wide busy={busy} busyLabel="One moment..." onClick={() => void go()}>
        Sign contract
      </Button>
      <p className="small quiet">
        {service} gets both names and email addresses, and stores the proof of signing. We check the signed file against
        this one and store it.
      </p>
    </div>
  );
}
