/** Replaces the signature form if an external service presents the contract: the link to it. */

import { useState } from "react";
import { errorToast } from "../../lib/attempt.ts";
import { goToAddress } from "../../lib/browser/leave-site.ts";
import { closeErrors } from "../../lib/toasts.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./sign.module.css";

type Props = Readonly<{
  service: string;
  /** Requests this party's own address. It expires soon, so it is requested on click. */
  findLink(): Promise<string>;
}>;

export function ServiceSigning({ service, findLink }: Props) {
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
