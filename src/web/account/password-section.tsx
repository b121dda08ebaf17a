import { PasswordInput } from "@mantine/core";
import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { passwordLength } from "#users/rules.ts";
import { useApiForm } from "../dashboard/forms/api-form.tsx";
import { SettingsSection } from "../dashboard/settings/settings-sheet.tsx";
import { useHostedAuth } from "../dashboard/use-hosted-auth.ts";
import { authClient } from "../lib/auth/session.ts";
import { lengthMessage, requiredMessage } from "../lib/form-validation.ts";
import { Button } from "../ui/button.tsx";
import { useAccountAction } from "./use-account-action.ts";
import styles from "./account.module.css";

export function PasswordSection({ email, has }: Readonly<{ email: string; has: boolean }>) {
  const { busy, runAction } = useAccountAction();
  const isHosted = useHostedAuth();
  const asksCurrent = has && !isHosted;
  const form = useApiForm({
    initialValues: { current: "", password: "" },
    verbatim: ["current", "password"],
    validate: {
      current: (text) => (asksCurrent ? requiredMessage(text, "Enter your current password.") : undefined),
      password: (text) => lengthMessage(text, passwordLength.min, "Enter a new password."),
    },
    send: async ({ current, password }) => {
      const auth = await authClient();
      const known = asksCurrent ? { current_password: current } : {};
      const done = await runAction(() => auth.updateUser({ password, ...known }), {
        done: "Your password has been changed. Every other device is signed out.",
        onError: (message, code) =>
          form.setFieldError(code === "reauthentication_not_valid" ? "current" : "password", message),
      });
      if (done) form.reset();
    },
  });
  return (
    <SettingsSection
      title="Password"
      why={
        has
          ? "Changing it signs out every other device."
          : "This account has no password: you sign in with codes. Setting one signs out every other device."
      }
    >
      <form className={styles.body} {...form.props}>
        <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
        {asksCurrent ? (
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            description={<Link to={paths.forgotPassword}>Forgot password?</Link>}
            {...form.field("current")}
          />
        ) : null}
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
    </SettingsSection>
  );
}
