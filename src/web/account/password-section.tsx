/** The password. The server may ask for a code from an email first, when the session is old. */
import { PasswordInput } from "@mantine/core";
import { passwordLength } from "#users/rules.ts";
import { useApiForm } from "../dashboard/use-api-form.ts";
import { authClient } from "../lib/auth/session.ts";
import { lengthMessage } from "../lib/form-validation.ts";
import { Button } from "../ui/button.tsx";
import { Section } from "./section.tsx";
import styles from "./account.module.css";
import { useAccountAction } from "./use-account-action.ts";

type Props = Readonly<{ email: string; has: boolean }>;

/** Sets a new password. An account that signs in by codes alone gets its first one here. */
export function PasswordSection({ email, has }: Props) {
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
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          required
          description={`At least ${passwordLength.min} characters.`}
          {...form.field("password")}
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
