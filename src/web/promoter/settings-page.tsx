import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { contactMethods } from "#settings/choices.rules.ts";
import { CalendarFeeds } from "../dashboard/calendar-feeds/calendar-feeds.tsx";
import { NotificationsSection, type MatrixRow } from "../dashboard/settings/notifications-section.tsx";
import { AddressFields } from "../dashboard/settings/seller-fields.tsx";
import { SettingsForm, SettingsPage } from "../dashboard/settings/settings-page.tsx";
import { SwitchRow, SettingsSection } from "../dashboard/settings/settings-sheet.tsx";
import { UnitInput } from "../dashboard/settings/unit-input.tsx";
import { useSettingsForm } from "../dashboard/settings/use-settings-form.ts";
import { usePromoterSettings, useSavePromoterSettings } from "../lib/api/settings.ts";

export const meta = () => [{ title: "Settings: Promoter Dashboard" }];

const tabs = {
  profile: "Profile",
  notifications: "Notifications",
  preferences: "Preferences",
  calendar: "Calendar",
} as const;
type Tab = keyof typeof tabs;
type Stored = NonNullable<ReturnType<typeof usePromoterSettings>["data"]>;

export default function PromoterSettingsPage() {
  const settings = usePromoterSettings();
  return (
    <SettingsPage title="Settings" tabs={tabs} address={paths.promoterArea.settings} query={settings}>
      {(stored, tab) => (
        <>
          <PromoterSettingsForm stored={stored} tab={tab} />
          {tab === "calendar" ? <CalendarFeeds /> : null}
        </>
      )}
    </SettingsPage>
  );
}

const names = {
  organizationName: "the organization",
  legalAddress: "the address",
  taxId: "the tax ID",
  contactName: "the contact name",
  phone: "the phone number",
  website: "the website",
  description: "the description",
  emailBookingConfirmations: "booking confirmations by email",
  emailContractUpdates: "contract updates by email",
  emailPaymentNotifications: "payment notifications by email",
  smsUrgentUpdates: "urgent updates by SMS",
  smsPaymentReminders: "payment reminders by SMS",
  defaultEventDuration: "the event duration",
  requireContractSigning: "the required contract signing",
  preferredContactMethod: "the contact method",
} as const;

const asPayments = { words: "follows Payment notifications" } as const;
const always = { words: "always" } as const;
const notSent = { words: "not sent" } as const;
const matrix: readonly MatrixRow<keyof typeof names>[] = [
  { label: "Holds", more: "moved, challenged, ended", email: always, sms: { words: "follows Urgent updates" } },
  {
    label: "Booking confirmations",
    more: "requests, confirmed dates, reviews",
    email: "emailBookingConfirmations",
    sms: notSent,
  },
  { label: "Contract updates", more: "signed by both", email: "emailContractUpdates", sms: notSent },
  { label: "Payment notifications", more: "payments that arrived", email: "emailPaymentNotifications", sms: notSent },
  {
    label: "Balance",
    more: "due, overdue, a planned or declined charge",
    email: always,
    sms: { words: "follows Payment reminders" },
  },
  {
    label: "Payment reminders",
    more: "a balance due soon, a card declined at the checkout, a checkout that ended",
    email: asPayments,
    sms: "smsPaymentReminders",
  },
  {
    label: "Urgent updates",
    more: "a canceled event, a lost date, a show to confirm",
    email: always,
    sms: "smsUrgentUpdates",
  },
  {
    label: "Codes to sign",
    more: "by email or SMS, not both",
    email: { words: "if not by SMS" },
    sms: { words: "follows Urgent updates" },
  },
];

const methodLabels = { email: "Email", phone: "Phone", platform: "This platform" } as const;

const checkSetting = (name: string, text: string): string | undefined =>
  name !== "website" || text === "" || /^https?:\/\/[^\s/]/i.test(text)
    ? undefined
    : "Enter an address that starts with https://, or leave the field empty.";

export function PromoterSettingsForm({ stored, tab }: Readonly<{ stored: Stored; tab: Tab }>) {
  const save = useSavePromoterSettings();
  const form = useSettingsForm<Stored["values"]>({ stored, names, save: save.mutateAsync, check: checkSetting });
  return (
    <SettingsForm form={form}>
      {tab === "profile" ? (
        <SettingsSection title="Who you are" why="Pre-fills your booking form. Artists see it with your request.">
          <TextInput
            label="Organization Name (optional)"
            autoComplete="organization"
            maxLength={200}
            {...form.field("organizationName")}
          />
          <TextInput
            label="Contact Name (optional)"
            autoComplete="name"
            maxLength={200}
            description="Leave empty to use your account name."
            {...form.field("contactName")}
          />
          <TextInput
            label="Phone (optional)"
            type="tel"
            autoComplete="tel"
            maxLength={40}
            description="For the booking form. It is used when something changes on the day."
            {...form.field("phone")}
          />
          <TextInput
            label="Website (optional)"
            type="url"
            autoComplete="url"
            maxLength={300}
            description="A full address, like https://example.org."
            {...form.field("website")}
          />
          <Textarea
            label="Description (optional)"
            rows={4}
            maxLength={2000}
            description="What you put on, in a few lines. Artists read it with your request."
            {...form.field("description")}
          />
        </SettingsSection>
      ) : null}
      {tab === "profile" ? (
        <SettingsSection
          title="Receipts"
          why="Printed on your receipts, with your organization. The artist sees them too. A change affects new receipts only."
        >
          <AddressFields field={form.field} />
        </SettingsSection>
      ) : null}
      {tab === "notifications" ? <NotificationsSection rows={matrix} form={form} /> : null}
      {tab === "preferences" ? (
        <>
          <SettingsSection title="Your events" why="Pre-fills your booking form. You can change it in each request.">
            <UnitInput label="Default Event Duration" unit="hours" {...form.numberField("defaultEventDuration")} />
          </SettingsSection>
          <SettingsSection title="Contact" why="The artist reads it with your request.">
            <NativeSelect
              label="Preferred Contact Method"
              data={contactMethods.map((value) => ({ value, label: methodLabels[value] }))}
              {...form.field("preferredContactMethod")}
            />
          </SettingsSection>
          <SettingsSection title="Contracts" why="How you agree to the contract of a booking.">
            <SwitchRow
              label="Require Contract Signing"
              description="You sign with your name, typed or drawn. If you turn this off, you accept contracts with a click, which is just as binding. A signing code or signing service still applies. The artist always signs."
              {...form.switchField("requireContractSigning")}
            />
          </SettingsSection>
          <SettingsSection title="Offers" why="What happens automatically.">
            <SwitchRow
              name="autoApproveArtists"
              label="Auto-Approve Artists"
              description={
                <>
                  Coming later. For now you choose each artist yourself on{" "}
                  <Link to={paths.browse()}>Browse Artists</Link>.
                </>
              }
              checked={stored.values.autoApproveArtists}
              disabled
              onChange={() => undefined}
            />
          </SettingsSection>
        </>
      ) : null}
    </SettingsForm>
  );
}
