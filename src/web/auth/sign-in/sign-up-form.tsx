import { useSearchParams } from "react-router";
import { nameLength, passwordLength, type Role } from "#users/rules.ts";
import { textOf, type ValidationMessages } from "../../lib/form-validation.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { useAccountForm } from "./use-account-form.ts";
import styles from "../auth.module.css";

export type SignUpInput = Readonly<{ name: string; email: string; password: string; role: Role }>;

/** The first is the default. */
const choices = [
  ["promoter", "Promoter / Event Organizer"],
  ["artist", "Artist / Performer"],
  ["admin", "Admin"],
] as const satisfies readonly (readonly [Role, string])[];

type Props = Readonly<{
  ready: boolean;
  busy: boolean;
  demo: boolean;
  refused: ValidationMessages<string>;
  onSend(input: SignUpInput): void;
}>;

export function SignUpForm({ ready, busy, demo, refused, onSend }: Props) {
  const { messages, submit } = useAccountForm(busy, refused, (form) =>
    onSend({
      name: textOf(form, "name"),
      email: textOf(form, "email"),
      password: String(form.get("password")),
      role: choices.find(([value]) => value === form.get("role"))?.[0] ?? "promoter",
    }),
  );
  const [query] = useSearchParams();
  return (
    <form className={styles.stack} method="post" noValidate onSubmit={submit}>
      <TextField
        label="Full name"
        name="name"
        autoComplete="name"
        maxLength={nameLength.max}
        required
        error={messages["name"]}
        defaultValue={query.get("name") ?? ""}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        required
        error={messages["email"]}
        defaultValue={query.get("email") ?? ""}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        hint={`At least ${passwordLength.min} characters. A few words in a row are easy to remember.`}
        error={messages["password"]}
      />
      <fieldset className={styles.roles}>
        <legend>Role</legend>
        {choices.map(([value, label]) => (
          <label key={value}>
            <input type="radio" name="role" value={value} defaultChecked={value === "promoter"} />
            {label}
          </label>
        ))}
      </fieldset>
      <p className="note">
        {demo
          ? "For testing: an account with the admin role has all admin features."
          : "The admin role is granted by an admin. Until then, the account has the promoter role."}
      </p>
      <Button type="submit" size="big" wide disabled={!ready} busy={busy} busyLabel="Signing up...">
        Sign Up
      </Button>
    </form>
  );
}
