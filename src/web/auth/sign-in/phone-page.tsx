import { useEffect, useState } from "react";
import { authClient } from "../../lib/auth/session.ts";
import { useHydrated } from "../../lib/browser/use-hydrated.ts";
import { textOf } from "../../lib/form-validation.ts";
import { unlistedMeta } from "../../lib/unlisted-meta.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import { useAfterSignIn } from "../after-sign-in.ts";
import { TypedCode } from "../codes/typed-code.tsx";
import { fieldErrorOf, showError } from "../error-message.ts";
import { sendsSms } from "./sends-sms.ts";
import { StepHead } from "./step-head.tsx";
import { noMessages, useAccountForm } from "./use-account-form.ts";
import styles from "../auth.module.css";

export const meta = () => unlistedMeta("Sign in with your phone | Stagedoor");

/** Signs in by number and password, or by a code if the server sends SMS. A known and an unknown number get the same response. */
export default function SignInByPhone() {
  const ready = useHydrated();
  const continueAfterSignIn = useAfterSignIn();
  const smsServed = useSmsServed();
  const [busy, setBusy] = useState(false);
  const [method, setMethod] = useState<"password" | "code">("password");
  const [phone, setPhone] = useState("");
  const [sentTo, setSentTo] = useState<string>();
  const sendCode = async (number: string) =>
    (await authClient()).signInWithOtp({ phone: number, options: { shouldCreateUser: false, channel: "sms" } });
  const [refused, setRefused] = useState(noMessages);
  const send = async (form: FormData) => {
    const number = textOf(form, "phone");
    const password = String(form.get("password") ?? "");
    setBusy(true);
    setRefused(noMessages);
    try {
      if (method === "password") {
        const { data, error } = await (await authClient()).signInWithPassword({ phone: number, password });
        if (error) throw error;
        await continueAfterSignIn(data.user);
      } else {
        const { error } = await sendCode(number);
        if (error) throw error;
        setSentTo(number);
      }
    } catch (error) {
      showError(error);
      setRefused(fieldErrorOf(error));
    }
    setBusy(false);
  };
  const { messages, submit } = useAccountForm(busy, refused, (form) => void send(form));
  return (
    <>
      <StepHead title="Sign in with your phone" />
      {sentTo === undefined ? (
        <>
          <p className={styles.lead}>For accounts that have a confirmed phone number.</p>
          <form className={styles.stack} method="post" noValidate onSubmit={submit}>
            <TextField
              label="Phone"
              name="phone"
              type="tel"
              autoComplete="tel"
              hint="With the country code, as in +1 512 555 0148."
              required
              error={messages["phone"]}
              value={phone}
              onChange={(event) => setPhone(event.target.value)}
            />
            {method === "password" ? (
              <TextField
                label="Password"
                name="password"
                type="password"
                autoComplete="current-password"
                required
                error={messages["password"]}
              />
            ) : null}
            <Button
              type="submit"
              size="big"
              wide
              disabled={!ready}
              busy={busy}
              busyLabel={method === "password" ? "Signing in..." : "Sending..."}
            >
              {method === "password" ? "Sign In" : "Send the code"}
            </Button>
          </form>
          {smsServed ? (
            <p className={`small ${styles.after}`}>
              <TextButton onClick={() => setMethod(method === "password" ? "code" : "password")}>
                {method === "password" ? "Get a code by SMS instead" : "Use the password instead"}
              </TextButton>
            </p>
          ) : null}
        </>
      ) : (
        <>
          <p className={styles.lead} role="status">
            If <strong>{sentTo}</strong> belongs to an account, we sent a code to it. It works for ten minutes.
          </p>
          <TypedCode
            target={{ phone: sentTo, type: "sms" }}
            label="Code from the message"
            button="Sign In"
            changeLabel="Use another number"
            onOther={() => setSentTo(undefined)}
            onResend={() => sendCode(sentTo)}
          />
        </>
      )}
    </>
  );
}

function useSmsServed(): boolean {
  const [served, setServed] = useState(false);
  useEffect(() => {
    let here = true;
    void sendsSms().then((response) => here && setServed(response));
    return () => void (here = false);
  }, []);
  return served;
}
