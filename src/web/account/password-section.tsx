<<<<<<< HEAD
/** The password. The current one is asked for; who has forgotten it comes by the mail for that. */
import { type FormEvent, useState } from "react";
import { passwordLength } from "#users/rules.ts";
import { Link } from "react-router";
import { useHostedAuth } from "../dashboard/use-hosted-auth.ts";
import { errorMessageOf } from "../auth/error-message.ts";
import { apiErrorOf } from "../lib/api/api-error.ts";
import { paths } from "../paths.ts";
=======
/** The password. The server may ask for a code from an email first, when the session is old. */
import { PasswordInput } from "@mantine/core";
import { passwordLength } from "#users/rules.ts";
import { useApiForm } from "../dashboard/use-api-form.ts";
>>>>>>> 95969fc5a7f54bc3febc1a568f2a07d40532d9bd
import { authClient } from "../lib/auth/session.ts";
import { lengthMessage } from "../lib/form-validation.ts";
import { Button } from "../ui/button.tsx";
import { Section } from "./section.tsx";
import styles from "./account.module.css";
import { useAccountAction } from "./use-account-action.ts";

type Props = Readonly<{ email: string; has: boolean }>;
type Refused = { current?: string; password?: string };

/** The field that a refusal is about. */
function fieldOf(error: unknown): keyof Refused | undefined {
  const { code } = apiErrorOf(error);
  if (code === "reauthentication_not_valid") return "current";
  return code === "weak_password" || code === "same_password" ? "password" : undefined;
}

/** Sets a new password. An account that signs in by codes alone gets its first one here. */
export function PasswordSection({ email, has }: Props) {
<<<<<<< HEAD
  const { busy, act, dialog } = useAccountAction();
  const hosted = useHostedAuth();
  const asksCurrent = has && !hosted;
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [refused, setRefused] = useState<Refused>({});
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const auth = await authClient();
    setRefused({});
    const known = asksCurrent ? { current_password: current } : {};
    const done = await act(({ code }) => auth.updateUser({ password, ...known, ...(code ? { nonce: code } : {}) }), {
      codeOnly: true,
      done: "Your password has been changed. Every other device is signed out.",
      refused: (error) => {
        const at = fieldOf(error);
        if (at) setRefused({ [at]: errorMessageOf(error) });
        return at !== undefined;
      },
    });
    if (!done) return;
    setCurrent("");
    setPassword("");
  };
=======
  const { busy, runAction } = useAccountAction();
  const form = useApiForm({
    initialValues: { password: "" },
    verbatim: ["password"],
    validate: { password: (text) => lengthMessage(text, passwordLength.min, "Please write a new password.") },
    send: async ({ password }) => {
      const auth = await authClient();
      const done = await runAction(({ code }) => auth.updateUser({ password, ...(code ? { nonce: code } : {}) }), {
        codeOnly: true,
        done: "Your password has been changed. Every other device is signed out.",
        onError: (message) => form.setFieldError("password", message),
      });
      if (done) form.reset();
    },
  });
>>>>>>> 95969fc5a7f54bc3febc1a568f2a07d40532d9bd
  return (
    <Section
      title="Password"
      why={
        has
          ? "Changing it signs out every other device."
          : "This account has none: you sign in by codes. Setting one signs out every other device."
      }
    >
      <form className={styles.body} {...form.props}>
        <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
<<<<<<< HEAD
        {asksCurrent ? (
          <TextField
            label="Current password"
            name="current-password"
            type="password"
            autoComplete="current-password"
            required
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
            error={refused.current}
            hint={<Link to={paths.forgotPassword}>Forgot password?</Link>}
          />
        ) : null}
        <TextField
=======
        <PasswordInput
>>>>>>> 95969fc5a7f54bc3febc1a568f2a07d40532d9bd
          label="New password"
          autoComplete="new-password"
          required
<<<<<<< HEAD
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={refused.password}
          hint={`At least ${passwordLength.min} characters.`}
=======
          description={`At least ${passwordLength.min} characters.`}
          {...form.field("password")}
>>>>>>> 95969fc5a7f54bc3febc1a568f2a07d40532d9bd
        />
        <div className={styles.row}>
          <Button type="submit" tone="line" busy={busy} busyLabel="Saving...">
            {has ? "Change Password" : "Set Password"}
          </Button>
        </div>
      </form>
    </Section>
  );
}
