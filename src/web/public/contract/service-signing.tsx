/** What stands in place of the signature form when an outside service presents the contract: the way to it. */
import { useState } from "react";
import { apiErrorOf } from "../../lib/api-error.ts";
import { leaveFor } from "../../lib/leave-site.ts";
import { closeErrors, toast } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./sign.module.css";

type Props = Readonly<{
  service: string;
  /** Asks for the address that is this party's own; it does not last, so it is asked for when it is needed. */
  findLink(): Promise<string>;
}>;

export function ServiceSigning({ service, findLink }: Props) {
  const [busy, setBusy] = useState(false);
  const go = async () => {
    setBusy(true);
    closeErrors();
    try {
      leaveFor(await findLink());
    } catch (error) {
      toast({ tone: "error", title: "Error", text: apiErrorOf(error).message });
      setBusy(false);
    }
  };
  return (
    <div className={styles.your} id="signature">
      <h2>Your signature</h2>
      <p>
        This contract is signed at {service}. Read it here or there: it is the same document. You come back to this page
        when you have signed.
      </p>
      <p className={styles.go}>
        <Button size="big" wide busy={busy} busyLabel="One moment..." onClick={() => void go()}>
          Sign Contract
        </Button>
      </p>
      <p className="small quiet">
        {service} learns both names and email addresses, and keeps the proof of signing. This platform checks the signed
        file against this one and stores it.
      </p>
    </div>
  );
}
