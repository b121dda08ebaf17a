import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { SettingsSection } from "../../dashboard/settings/settings-sheet.tsx";
import type { PlatformForm } from "./settings-page.tsx";
import styles from "../../dashboard/settings/settings.module.css";

export const NotificationsTab = ({ form }: Readonly<{ form: PlatformForm }>) => (
  <>
    <SettingsSection title="Sender" why="Shown on every email that the platform sends.">
      <div className={styles.two}>
        <TextInput label="From Email" type="email" maxLength={254} {...form.field("fromEmail")} />
        <TextInput label="Reply-To Email" type="email" maxLength={254} {...form.field("replyToEmail")} />
      </div>
      <Textarea label="Email Footer Text" rows={2} maxLength={500} {...form.field("emailFooter")} />
    </SettingsSection>
    <SettingsSection title="SMS" why="Users who switch on SMS get urgent messages by SMS too.">
      <NativeSelect
        label="SMS Provider"
        description="Choose None to send no notifications by SMS. Sign-in codes are sent by SMS if a provider is set up."
        data={[
          { value: "twilio", label: "Twilio" },
          { value: "none", label: "None" },
        ]}
        {...form.field("smsProvider")}
      />
    </SettingsSection>
  </>
);
