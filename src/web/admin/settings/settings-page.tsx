import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { paths } from "#platform/site-paths.rules.ts";
import { sellerNames } from "../../dashboard/settings/seller-fields.tsx";
import { SettingsForm, SettingsPage } from "../../dashboard/settings/settings-page.tsx";
import { SettingsSection } from "../../dashboard/settings/settings-sheet.tsx";
import { useSettingsForm } from "../../dashboard/settings/use-settings-form.ts";
import { usePlatformSettings, useSavePlatformSettings } from "../../lib/api/settings.ts";
import { BrandTab } from "./brand-tab.tsx";
import { EmailTemplates } from "./emails/email-templates.tsx";
import { EsignTab } from "./esign-tab.tsx";
import { IntegrationsTab } from "./integrations-tab.tsx";
import { currencyQuestion, PaymentsTab } from "./payments-tab.tsx";
import { componentsTab, platformTabs } from "./settings-tabs.ts";
import styles from "../../dashboard/settings/settings.module.css";

export const meta = () => [{ title: "Platform Settings: Admin Panel" }];

export type Stored = NonNullable<ReturnType<typeof usePlatformSettings>["data"]>;
export type PlatformForm = ReturnType<typeof useSettingsForm<Stored["values"]>>;

export default function AdminSettingsPage() {
  const settings = usePlatformSettings();
  return (
    <SettingsPage
      title="Platform Settings"
      tabs={platformTabs}
      more={componentsTab}
      address={paths.admin.settings}
      query={settings}
    >
      {(stored, tab) => (
        <>
          <PlatformSettingsForm stored={stored} tab={tab} />
          {tab === "notifications" ? <EmailTemplates /> : null}
        </>
      )}
    </SettingsPage>
  );
}

const names = {
  depositPercent: "the deposit",
  currency: "the currency",
  commissionBps: "the platform fee",
  policyName: "the cancellation policy",
  allowFlexiblePolicy: "the flexible policy",
  allowStandardPolicy: "the standard policy",
  allowStrictPolicy: "the strict policy",
  mostOpenHolds: "the limit of holds",
  timeZone: "the time zone",
  defaultTemplateId: "the contract template",
  requireSigningCode: "the code before signing",
  esignProvider: "the signing service",
  supportEmail: "the support address",
  fromEmail: "the sender",
  replyToEmail: "the reply-to address",
  emailFooter: "the footer",
  smsProvider: "the SMS provider",
  primaryColor: "the primary colour",
  logoUrl: "the logo",
  imprintUrl: "the imprint",
  privacyUrl: "the privacy page",
  termsUrl: "the terms",
  ...sellerNames,
  pricesIncludeTax: "prices include tax",
} as const;

/** Renders one form across the tabs. Key, webhook and email templates have their own actions and are outside it. */
export function PlatformSettingsForm({ stored, tab }: Readonly<{ stored: Stored; tab: keyof typeof platformTabs }>) {
  const save = useSavePlatformSettings();
  const form = useSettingsForm<Stored["values"]>({
    stored,
    names,
    save: save.mutateAsync,
    question: ({ currency }) => (currency ? currencyQuestion(stored, currency) : undefined),
  });
  return (
    <SettingsForm form={form}>
      {tab === "payments" ? <PaymentsTab form={form} stored={stored} /> : null}
      {tab === "esign" ? <EsignTab form={form} stored={stored} /> : null}
      {tab === "notifications" ? <NotificationsTab form={form} /> : null}
      {tab === "brand" ? <BrandTab form={form} /> : null}
      {tab === "integrations" ? <IntegrationsTab /> : null}
    </SettingsForm>
  );
}

const NotificationsTab = ({ form }: Readonly<{ form: PlatformForm }>) => (
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
