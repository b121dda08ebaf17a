import { TextInput } from "@mantine/core";
import { useApiForm } from "../dashboard/forms/api-form.tsx";
import { SettingsSection } from "../dashboard/settings/settings-sheet.tsx";
import { useCurrentUser } from "../lib/api/current-user.ts";
import { useBecomeFirstAdmin } from "../lib/api/users.ts";
import { requiredMessage } from "../lib/form-validation.ts";
import { toast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import styles from "./account.module.css";

export function FirstAdminSection() {
  const currentUser = useCurrentUser();
  const become = useBecomeFirstAdmin();
  const form = useApiForm({
    initialValues: { token: "" },
    validate: { token: (token) => requiredMessage(token, "Enter the token.") },
    send: async (input) => {
      await become.mutateAsync(input);
      toast({ title: "You are an admin now", text: "The Admin Panel is open to you." });
    },
    fallback: "token",
  });
  const me = currentUser.phase === "known" ? currentUser.me : undefined;
  if (!me?.firstAdminTokenWaits || me.role === "admin") return null;
  return (
    <SettingsSection
      title="First admin"
      why="The operator of this server can appoint the first admin with a one-time token from the command line."
    >
      <details className={styles.collapsible}>
        <summary>I have a token</summary>
        <form className={styles.body} {...form.props}>
          <TextInput
            label="Token"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={100}
            required
            description="Valid once, for one hour."
            {...form.field("token")}
          />
          <div className={styles.row}>
            <Button type="submit" tone="line" busy={form.busy} busyLabel="Checking...">
              Become admin
            </Button>
          </div>
        </form>
      </details>
    </SettingsSection>
  );
}
