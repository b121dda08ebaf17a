import { Link } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { PageHead } from "../../dashboard/page-head.tsx";
import { NotificationsSection, type MatrixRow } from "../../dashboard/settings/notifications-section.tsx";
import { SellerFields, sellerNames } from "../../dashboard/settings/seller-fields.tsx";
import { SettingsForm, SettingsPage } from "../../dashboard/settings/settings-page.tsx";
import { SwitchRow, SettingsSection } from "../../dashboard/settings/settings-sheet.tsx";
import { useSettingsForm } from "../../dashboard/settings/use-settings-form.ts";
import { apiErrorOf } from "../../lib/api-error.ts";
import { type ArtistSettings, useArtistSettings, useSaveArtistSettings } from "../../lib/api/settings.ts";
import { NoProfileSheet } from "../no-profile.tsx";
import { AvailabilityTab } from "./availability-tab.tsx";
import { type FormValues, PolicySection } from "./policy-section.tsx";
import { switchesOf, weekNightNames, withOpenNights } from "./weekdays.ts";

export const meta = () => [{ title: "Settings: Artist Dashboard" }];

const tabs = {
  availability: "Availability",
  notifications: "Notifications",
  privacy: "Privacy",
  preferences: "Preferences",
} as const;

export default function ArtistSettingsPage() {
  const settings = useArtistSettings();
  const withoutProfile = settings.error !== null && apiErrorOf(settings.error).status === 404;
  if (withoutProfile) return <WithoutProfile />;
  return (
    <SettingsPage title="Settings" tabs={tabs} address={paths.artistArea.settings} query={settings}>
      {(stored, tab) => <ArtistSettingsForm stored={stored} tab={tab} />}
    </SettingsPage>
  );
}

const WithoutProfile = () => (
  <>
    <PageHead title="Settings" />
    <NoProfileSheet text="These settings belong to an artist profile. Create your profile first." />
  </>
);

const names = {
  availabilityNote: "the note",
  minimumNotice: "the minimum notice",
  maximumBookingDays: "the maximum advance booking",
  bufferBefore: "the time before a show",
  bufferAfter: "the time after a show",
  nightEndsAt: "the end of a night",
  ...weekNightNames,
  holdsEnabled: "the holds",
  holdDays: "the length of a hold",
  challengeHours: "the time to pay after a challenge",
  travelRadius: "the travel radius",
  travelSpeed: "the travel speed",
  travelSpeedUnit: "the speed unit",
  emailBookingRequests: "booking requests by email",
  emailContractUpdates: "contract updates by email",
  emailPaymentNotifications: "payment notifications by email",
  smsBookingRequests: "booking requests by SMS",
  smsPaymentNotifications: "payment notifications by SMS",
  publicProfile: "the public profile",
  showContactInfo: "the contact info",
  requireDeposit: "the required deposit",
  policyName: "the cancellation policy",
  acceptCorporateEvents: "corporate events",
  acceptPrivateEvents: "private events",
  acceptWeddingEvents: "wedding events",
  ...sellerNames,
} as const;

const matrix: readonly MatrixRow<keyof typeof names>[] = [
  {
    label: "Booking requests",
    more: "requests, confirmed dates, reviews",
    email: "emailBookingRequests",
    sms: "smsBookingRequests",
  },
  {
    label: "Holds",
    more: "placed, challenged, ended",
    email: { words: "always" },
    sms: { words: "follows Booking requests" },
  },
  {
    label: "Cancellations",
    more: "a canceled booking",
    email: { words: "always" },
    sms: { words: "follows Booking requests" },
  },
  {
    label: "Codes to sign",
    more: "by email or SMS, not both",
    email: { words: "if not by SMS" },
    sms: { words: "follows Booking requests" },
  },
  { label: "Contract updates", more: "signed by both", email: "emailContractUpdates", sms: { words: "not sent" } },
  {
    label: "Payment notifications",
    more: "deposits, balances, payouts",
    email: "emailPaymentNotifications",
    sms: "smsPaymentNotifications",
  },
];

export function ArtistSettingsForm({ stored, tab }: Readonly<{ stored: ArtistSettings; tab: keyof typeof tabs }>) {
  const save = useSaveArtistSettings();
  const { artist, values } = stored;
  const form = useSettingsForm<FormValues>({
    stored: { ...stored, values: { ...values, ...switchesOf(values.openNights) } },
    names,
    save: ({ values: changed, version }) =>
      save.mutateAsync({ values: withOpenNights(changed, values.openNights), version }),
  });
  return (
    <SettingsForm form={form}>
      {tab === "availability" ? <AvailabilityTab form={form} stored={stored} /> : null}
      {tab === "notifications" ? <NotificationsSection rows={matrix} form={form} /> : null}
      {tab === "privacy" ? (
        <SettingsSection
          title="Visibility"
          why={
            stored.values.publicProfile ? (
              <>
                Your public page is <Link to={paths.artist(artist.slug)}>{paths.artist(artist.slug)}</Link>.
              </>
            ) : (
              "Your public page is hidden."
            )
          }
        >
          <div>
            <SwitchRow
              label="Public Profile"
              description="Your page appears in the listing and in search. If you turn this off, your page cannot be found or booked, and we release all holds on your nights, which cannot be undone. Existing bookings do not change."
              {...form.switchField("publicProfile")}
            />
            <SwitchRow
              label="Show Contact Info"
              description="Your account's confirmed email address and your profile's phone number on your public page."
              {...form.switchField("showContactInfo")}
            />
            <SwitchRow
              name="allowDirectMessages"
              label="Allow Direct Messages"
              description="Coming later. For now, promoters can add a message to their request."
              checked={false}
              disabled
              onChange={() => undefined}
            />
          </div>
        </SettingsSection>
      ) : null}
      {tab === "preferences" ? (
        <>
          <SettingsSection title="Requests" why="For new requests. Requests that you already have do not change.">
            <SwitchRow
              label="Require Deposit"
              description="Promoters pay a deposit to book the date. If you turn this off, you answer each request within 72 hours. Nothing is paid until you accept, and the whole price is the balance."
              {...form.switchField("requireDeposit")}
            />
          </SettingsSection>
          <PolicySection form={form} stored={stored} />
          <SettingsSection title="Event types" why="Promoters cannot request a type that is off.">
            <div>
              <SwitchRow
                label="Accept Corporate Events"
                description="Company evenings, fairs, openings"
                {...form.switchField("acceptCorporateEvents")}
              />
              <SwitchRow
                label="Accept Private Events"
                description="Private parties, birthdays"
                {...form.switchField("acceptPrivateEvents")}
              />
              <SwitchRow
                label="Accept Wedding Events"
                description="Ceremony, dinner, dance"
                {...form.switchField("acceptWeddingEvents")}
              />
            </div>
          </SettingsSection>
          <SellerFields
            field={form.field}
            set={form.set}
            why="The seller on your contracts and receipts. Contracts also show the email address of your account. A change affects new documents only."
            taxNote="From 0 to 50, included in your fee. Enter 0 to show no tax."
          />
        </>
      ) : null}
    </SettingsForm>
  );
}
