/** The Sign Up tab: full name, email, password and a role. */
import type { FormEvent } from "react";
import { passwordLength, type Role } from "#users/rules.ts";
import styles from "../auth.module.css";

export type SignUpInput = Readonly<{ name: string; email: string; password: string; role: Role }>;

/** The roles a person may ask for, in the specification's words and order; the first is chosen until another is. */
const choices = [
  ["promoter", "Promoter / Event Organizer"],
  ["artist", "Artist / Performer"],
  ["admin", "Admin"],
] as const satisfies readonly (readonly [Role, string])[];

type Props = Readonly<{ ready: boolean; busy: boolean; demo: boolean; onSend(wish: SignUpInput): void }>;

/** Asks for a new account. What was typed stays when the server refuses. */
export function SignUpForm({ ready, busy, demo, onSend }: Props) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    const role = choices.find(([value]) => value === form.get("role"))?.[0] ?? "promoter";
    onSend({
      name: String(form.get("name")).trim(),
      email: String(form.get("email")).trim(),
      password: String(form.get("password")),
      role,
    });
  };
  return (
    <form className={styles.stack} method="post" onSubmit={send}>
      <div className="field">
        <label htmlFor="sign-up-name">Full name</label>
        <input className="in" id="sign-up-name" name="name" type="text" autoComplete="name" maxLength={200} required />
      </div>
      <div className="field">
        <label htmlFor="sign-up-email">Email</label>
        <input className="in" id="sign-up-email" name="email" type="email" autoComplete="email" required />
      </div>
      <div className="field">
        <label htmlFor="sign-up-password">Password</label>
        <input
          className="in"
          id="sign-up-password"
          name="password"
          type="password"
          autoComplete="new-password"
          aria-describedby="sign-up-password-hint"
          required
        />
        <small id="sign-up-password-hint">
          At least {passwordLength.min} characters. A sentence is easier to remember than a riddle.
        </small>
      </div>
      <fieldset className={styles.roles}>
        <legend className="sr">Role</legend>
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
          : "The admin role is granted by an admin. Until then the account works as a promoter's."}
      </p>
      <button
        className={busy ? `btn big wide ${styles.busy}` : "btn big wide"}
        type="submit"
        disabled={!ready}
        aria-busy={busy}
        aria-disabled={busy}
      >
        {busy ? "Signing up..." : "Sign Up"}
      </button>
    </form>
  );
}
