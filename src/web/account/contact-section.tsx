import { TextInput } from "@mantine/core";
import type { User, UserAttributes } from "@supabase/auth-js";
import { useEffect, useRef, type FormEvent, useState } from "react";
import { emailMessage } from "#platform/email-address.rules.ts";
import { SendAgain, CodeField, codeFigures, shortCodeMessage } from "../auth/codes/code-field.tsx";
import { showError } from "../auth/error-message.ts";
import { useApiForm } from "../dashboard/forms/api-form.tsx";
import { SettingsSection } from "../dashboard/settings/settings-sheet.tsx";
import { authClient } from "../lib/auth/session.ts";
import { requiredMessage } from "../lib/form-validation.ts";
import { toast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { useAccountAction } from "./use-account-action.ts";
import styles from "./account.module.css";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export function ContactSection({ user }: Readonly<{ user: User }>) {
  return (
    <SettingsSection
      title="Name and contact"
      why="Your name appears on contracts. A new email address or phone number takes effect when you confirm it."
    >
      <ContactForm user={user} />
      {user.new_email ? <WaitingEmail now={user.email ?? ""} wanted={user.new_email} /> : null}
      {user.new_phone ? <WaitingPhone now={user.phone ?? ""} wanted={digitsOf(user.new_phone)} /> : null}
    </SettingsSection>
  );
}

type Stored = Readonly<{ name: string; email: string; phone: string }>;

const storedOf = (user: User): Stored => ({
  name: textOf(user.user_metadata["name"]),
  email: user.email ?? "",
  phone: withPlus(user.phone ?? ""),
});

function ContactForm({ user }: Readonly<{ user: User }>) {
  const { busy, runAction } = useAccountAction();
  const stored = storedOf(user);
  const form = useApiForm({
    initialValues: stored,
    validate: {
      name: (name) => requiredMessage(name, "Enter your full name. It appears on contracts."),
      email: (email) => emailMessage(email, "our emails reach you"),
      phone: (phone) =>
        phone && !/^\+[\d\s().-]{5,}$/.test(phone)
          ? "This is not a phone number. Start with + and the country code, as in +1 512 555 0148."
          : undefined,
    },
    send: ({ name, email, phone }) => save(name, email, phone),
  });
  useFollow(stored, form);
  const isNew = {
    name: (name: string) => name !== stored.name,
    email: (email: string) => email.toLowerCase() !== stored.email.toLowerCase(),
    phone: (phone: string) => digitsOf(phone) !== digitsOf(stored.phone),
  };
  const changed = fields.some((field) => isNew[field](form.values[field].trim()));

  const saveOne = async (field: keyof Stored, change: UserAttributes) => {
    const auth = await authClient();
    return runAction(() => auth.updateUser(change), {
      onError: (message) => form.setFieldError(field, message),
    });
  };
  /** Sends one call per change, first the one that needs no reauthentication. A later error does not undo a saved change. */
  const save = async (name: string, email: string, phone: string) => {
    const done: string[] = [];
    const saved = async () => {
      if (isNew.name(name)) {
        if (!(await saveOne("name", { data: { name } }))) return;
        done.push(messages.name);
      }
      if (isNew.email(email)) {
        if (!(await saveOne("email", { email }))) return;
        done.push(messages.email);
        form.setValue("email", stored.email);
      }
      if (isNew.phone(phone)) {
        if (!(await saveOne("phone", { phone }))) return;
        done.push(phone ? messages.phone : messages.noPhone);
        form.setValue("phone", phone ? stored.phone : "");
      }
    };
    await saved();
    if (done.length > 0) toast({ title: "Saved", text: done.join(" ") });
  };
  const hint = user.phone
    ? "Include the country code. You can sign in with this number. Clear the field to remove it."
    : "With the country code, as in +1 512 555 0148. Once confirmed, you can sign in with it.";
  return (
    <form className={styles.body} {...form.props}>
      <TextInput label="Full name" autoComplete="name" maxLength={200} required {...form.field("name")} />
      <TextInput label="Email" type="email" autoComplete="email" required {...form.field("email")} />
      <TextInput label="Phone (optional)" type="tel" autoComplete="tel" description={hint} {...form.field("phone")} />
      <div className={styles.row}>
        <Button type="submit" disabled={!changed && !busy} busy={busy} busyLabel="Saving...">
          Save Changes
        </Button>
      </div>
    </form>
  );
}

function useFollow(stored: Stored, form: { values: Stored; setValue(field: keyof Stored, value: string): void }): void {
  const last = useRef(stored);
  useEffect(() => {
    for (const field of fields)
      if (stored[field] !== last.current[field] && form.values[field] === last.current[field])
        form.setValue(field, stored[field]);
    last.current = stored;
  });
}

const fields = ["name", "email", "phone"] as const;

const messages = {
  name: "Your name has been changed.",
  email: "Open the links in the emails to your old and your new address.",
  phone: "Enter the code that we sent to your phone.",
  noPhone: "Your phone number is removed.",
} as const;

const withPlus = (digits: string): string => (digits ? `+${digits}` : "");
const digitsOf = (phone: string): string => phone.replaceAll(/\D/g, "");

async function sent(request: Promise<{ error: unknown }>, text: string): Promise<boolean> {
  const { error } = await request;
  if (error) showError(error);
  else toast({ title: "Sent", text });
  return !error;
}

function WaitingEmail({ now, wanted }: Readonly<{ now: string; wanted: string }>) {
  const { busy, runAction } = useAccountAction();
  const again = async () =>
    sent((await authClient()).resend({ type: "email_change", email: wanted }), "We sent a new link.");
  const takeBack = () =>
    runAction(async () => (await authClient()).updateUser({ email: now }), { done: `Your address is still ${now}.` });
  return (
    <div className={`note gold ${styles.waiting}`}>
      <p>
        The change to {wanted} is not confirmed yet. Open the links that we emailed to both addresses. Until both are
        opened, we email {now}.
      </p>
      <div className={styles.row}>
        <SendAgain onSend={again} />
        <Button tone="line" size="sm" busy={busy} busyLabel="Withdrawing..." onClick={() => void takeBack()}>
          Withdraw the change
        </Button>
      </div>
    </div>
  );
}

function WaitingPhone({ now, wanted }: Readonly<{ now: string; wanted: string }>) {
  const { busy, runAction } = useAccountAction();
  const [code, setCode] = useState("");
  const [refused, setRefused] = useState<string>();
  const phone = withPlus(wanted);
  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (code.length < codeFigures) return setRefused(shortCodeMessage);
    setRefused(undefined);
    const done = await runAction(
      async () => (await authClient()).verifyOtp({ phone, token: code, type: "phone_change" }),
      { done: "Your phone number is confirmed.", onError: setRefused },
    );
    if (!done) setCode("");
  };
  const again = async () =>
    sent((await authClient()).resend({ type: "phone_change", phone }), `We sent a new code to ${phone}.`);
  const takeBack = () =>
    runAction(async () => (await authClient()).updateUser({ phone: withPlus(now) }), {
      done: now ? `Your number is still ${withPlus(now)}.` : "No number is stored.",
    });
  return (
    <form className={`note gold ${styles.waiting}`} noValidate onSubmit={(event) => void confirm(event)}>
      <CodeField
        id="phone-code"
        label={`Code from the message to ${phone}`}
        value={code}
        error={refused}
        onChange={setCode}
      />
      <div className={styles.row}>
        <Button type="submit" size="sm" busy={busy} busyLabel="Checking...">
          Confirm
        </Button>
        <SendAgain onSend={again} />
        <Button tone="line" size="sm" onClick={() => void takeBack()}>
          Withdraw the change
        </Button>
      </div>
    </form>
  );
}
