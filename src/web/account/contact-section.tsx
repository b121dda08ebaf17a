/** Name, e-mail and phone. An address changes only after both mailboxes have agreed; a number after its code. */
import type { User } from "@supabase/auth-js";
import { type FormEvent, useState } from "react";
import type { Proof } from "../lib/auth/reauthentication.ts";
import { authClient } from "../lib/auth/session.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { digitsOf, WaitingEmail, WaitingPhone, withPlus } from "./pending-contact-change.tsx";
import { Section } from "./section.tsx";
import styles from "./account.module.css";
import { useAccountAction } from "./use-account-action.ts";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** What the form starts from. It starts anew when any of this is another, so that nothing waiting is sent a second time. */
const stored = (user: User) => [user.user_metadata["name"], user.email, user.phone, user.new_email, user.new_phone];

/** The code under the name that the protocol has beside a change. Its `password` is the new one, so no password can be the proof. */
const nonceOf = ({ code }: Proof) => (code ? { nonce: code } : {});

/** Shows what is stored and saves what was changed; an emptied number is removed. */
export function ContactSection({ user }: Readonly<{ user: User }>) {
  const { busy, act, dialog } = useAccountAction();
  const name = textOf(user.user_metadata["name"]);
  const number = user.phone ?? "";
  const email = user.email ?? "";
  const [isChanged, setIsChanged] = useState(false);
  const changesIn = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const typed = (field: string) => textOf(data.get(field)).trim();
    return {
      ...(typed("name") === name ? {} : { data: { name: typed("name") } }),
      ...(typed("email").toLowerCase() === email.toLowerCase() ? {} : { email: typed("email") }),
      ...(digitsOf(typed("phone")) === number ? {} : { phone: typed("phone") }),
    };
  };
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const changes = changesIn(event.currentTarget);
    if (busy || Object.keys(changes).length === 0) return;
    const auth = await authClient();
    const done = await act((proof) => auth.updateUser({ ...changes, ...nonceOf(proof) }), {
      codeOnly: true,
      done: sentencesOf(changes),
    });
    if (done) setIsChanged(false);
  };
  return (
    <Section
      title="Name and contact"
      why="The name stands on contracts. A new address or number counts once it is confirmed."
    >
      <form
        className={styles.body}
        onChange={(event) => setIsChanged(Object.keys(changesIn(event.currentTarget)).length > 0)}
        onSubmit={(event) => void save(event)}
        key={JSON.stringify(stored(user))}
      >
        <TextField label="Full name" name="name" autoComplete="name" maxLength={200} required defaultValue={name} />
        <TextField label="Email" name="email" type="email" autoComplete="email" required defaultValue={user.email} />
        <TextField
          label="Phone (optional)"
          name="phone"
          type="tel"
          autoComplete="tel"
          defaultValue={withPlus(number)}
          hint={
            number
              ? "With the country code. You can sign in with it; empty the field to remove it."
              : "With the country code, as in +1 512 555 0148. Once confirmed, you can sign in with it."
          }
        />
        <div className={styles.row}>
          <Button type="submit" disabled={!isChanged} busy={busy} busyLabel="Saving...">
            Save Changes
          </Button>
        </div>
      </form>
      {user.new_email ? <WaitingEmail now={user.email ?? ""} wanted={user.new_email} /> : null}
      {user.new_phone ? <WaitingPhone now={number} wanted={digitsOf(user.new_phone)} /> : null}
      {dialog}
    </Section>
  );
}

const said = {
  name: "Your name has been changed.",
  email: "Please open the links in the mails to your old and your new address.",
  phone: "Please enter the code that we sent to your phone.",
  noPhone: "Your phone number is removed.",
} as const;

/** What is said about a change that was accepted as a whole. */
const sentencesOf = (changes: { data?: unknown; email?: string; phone?: string }): string =>
  [
    changes.data ? said.name : "",
    changes.email ? said.email : "",
    changes.phone === undefined ? "" : changes.phone ? said.phone : said.noPhone,
  ]
    .filter(Boolean)
    .join(" ");
