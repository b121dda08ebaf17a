/** Name, e-mail and phone. An address changes only after both mailboxes have agreed; a number after its code. */
import type { User } from "@supabase/auth-js";
import { type FormEvent, useState } from "react";
import { authClient } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Section } from "./section.tsx";
import styles from "./account.module.css";
import { useAct } from "./use-act.ts";

type Change = { data?: { name: string }; email?: string; phone?: string; nonce?: string };

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const withPlus = (digits: string | undefined): string => (digits ? `+${digits}` : "");
const digitsOf = (phone: string): string => phone.replaceAll(/\D/g, "");

/** Shows what is stored and saves what was changed. */
export function ContactSection({ user }: Readonly<{ user: User }>) {
  const { busy, act } = useAct();
  const [asksForCode, setAsksForCode] = useState(false);
  const name = textOf(user.user_metadata["name"]);
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const typed = {
      name: textOf(form.get("name")).trim(),
      email: textOf(form.get("email")).trim(),
      phone: textOf(form.get("phone")).trim(),
    };
    const change: Change = {
      ...(typed.name !== name ? { data: { name: typed.name } } : {}),
      ...(typed.email.toLowerCase() !== (user.email ?? "").toLowerCase() ? { email: typed.email } : {}),
      ...(digitsOf(typed.phone) === (user.phone ?? "") ? {} : { phone: typed.phone }),
    };
    if (Object.keys(change).length === 0) return;
    const auth = await authClient();
    if (asksForCode) change.nonce = textOf(form.get("nonce")).trim();
    const refused = await act(() => auth.updateUser(change), savedWords(change));
    if (refused === "reauthentication_needed") setAsksForCode(!(await act(() => auth.reauthenticate())));
    if (!refused) setAsksForCode(false);
  };
  return (
    <Section
      title="Name and contact"
      why="The name stands on contracts. A new address or number counts once it is confirmed."
    >
      <form className={styles.body} onSubmit={(event) => void save(event)} key={`${name} ${user.email} ${user.phone}`}>
        <TextField label="Full name" name="name" autoComplete="name" maxLength={200} required defaultValue={name} />
        <TextField label="Email" name="email" type="email" autoComplete="email" required defaultValue={user.email} />
        <TextField
          label="Phone (optional)"
          name="phone"
          type="tel"
          autoComplete="tel"
          defaultValue={withPlus(user.phone)}
          hint="With the country code, as in +1 512 555 0148."
        />
        {asksForCode ? (
          <TextField
            label="Code from the mail"
            name="nonce"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            hint={`A phone number opens your account, so we sent a code to ${user.email}.`}
          />
        ) : null}
        <div className={styles.row}>
          <Button type="submit" busy={busy} busyLabel="Saving...">
            Save Changes
          </Button>
        </div>
      </form>
      {user.new_email ? (
        <p className="note gold">
          {user.new_email} waits for its confirmation, by the links in the mails to both addresses. Until then
          everything goes to {user.email}.
        </p>
      ) : null}
      {user.new_phone ? <PhoneCode phone={withPlus(digitsOf(user.new_phone))} /> : null}
    </Section>
  );
}

function savedWords(change: Change): string {
  if (change.email) return "Please open the links in the mails to your old and your new address.";
  if (change.phone === "") return "Your phone number has been removed.";
  return change.phone ? "Please enter the code that we sent to your phone." : "Your name has been changed.";
}

function PhoneCode({ phone }: Readonly<{ phone: string }>) {
  const { busy, act } = useAct();
  const [code, setCode] = useState("");
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    void act(
      async () => (await authClient()).verifyOtp({ phone, token: code.trim(), type: "phone_change" }),
      "Your phone number is confirmed.",
    );
  };
  return (
    <form className="note gold" onSubmit={confirm}>
      <div className="field">
        <label htmlFor="phone-code">Code from the message to {phone}</label>
        <span className={styles.with}>
          <input
            className="in"
            id="phone-code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
          <Button type="submit" tone="line" busy={busy} busyLabel="Checking...">
            Confirm
          </Button>
        </span>
      </div>
    </form>
  );
}
