import { authClient } from "../../lib/auth/session.ts";
import { TypedCode } from "../codes/typed-code.tsx";
import styles from "../auth.module.css";

const storageKey = "waiting-for-mail";

export const pendingEmail = (): string | undefined => sessionStorage.getItem(storageKey) ?? undefined;

export function rememberPendingEmail(email: string | undefined): void {
  if (email) sessionStorage.setItem(storageKey, email);
  else sessionStorage.removeItem(storageKey);
}

type Props = Readonly<{ email: string; onOther(): void; onBusy(busy: boolean): void }>;

/** Shows the same text for a new and a known address. Only the email states which it is. */
export function EmailPending({ email, onOther, onBusy }: Props) {
  return (
    <>
      <p className={styles.lead} role="status">
        We sent an email to <strong>{email}</strong>. Use the button in that email in this browser to sign in. No email?
        Check the spam folder.
      </p>
      <TypedCode
        target={{ email, type: "email" }}
        label="Or enter the code from the email"
        button="Confirm"
        changeLabel="Use another address"
        onOther={onOther}
        onBusy={onBusy}
        onResend={async () => (await authClient()).resend({ type: "signup", email })}
      />
      <p className={`small quiet ${styles.after}`}>
        The button confirms the password that you chose. With a code, you set the password again, because the code can
        be read on another device.
      </p>
    </>
  );
}
