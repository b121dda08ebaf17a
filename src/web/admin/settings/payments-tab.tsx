import { NativeSelect, TextInput } from "@mantine/core";
import { policyNamed } from "#bookings/rules/cancellation/cancellation.rules.ts";
import { policySummary, fullRefundTerms } from "#bookings/rules/cancellation/policy-text.rules.ts";
import { currencies } from "#payments/rules.ts";
import { bounds } from "#settings/bounds.rules.ts";
import { policyNames, policyTitles } from "#settings/policy-names.rules.ts";
import { SellerFields } from "../../dashboard/settings/seller-fields.tsx";
import { SwitchRow, SettingsSection } from "../../dashboard/settings/settings-sheet.tsx";
import { PercentInput, UnitInput } from "../../dashboard/settings/unit-input.tsx";
import { formatShortDate, localMoment } from "../../lib/format/dates.ts";
import { DetailRow } from "../../ui/detail-row.tsx";
import type { PlatformForm, Stored } from "./settings-page.tsx";
import styles from "../../dashboard/settings/settings.module.css";

type Props = Readonly<{ form: PlatformForm; stored: Stored }>;

const currencyNames = new Intl.DisplayNames(["en"], { type: "currency" });
const currencyOptions = Object.keys(currencies).map((code) => ({
  value: code,
  label: `${code.toUpperCase()}, ${currencyNames.of(code.toUpperCase()) ?? code}`,
}));
const policyOptions = policyNames.map((name) => ({
  value: name,
  label: policyTitles[name],
}));

const policySwitches = [
  ["allowFlexiblePolicy", "flexible"],
  ["allowStandardPolicy", "standard"],
  ["allowStrictPolicy", "strict"],
] as const;

export function PaymentsTab({ form, stored }: Props) {
  const saved = stored.saved_at === null ? undefined : localMoment(stored.saved_at);
  return (
    <>
      <SettingsSection title="Deposit" why="The part of the price that promoters pay to book the date.">
        <UnitInput
          label="Default deposit percentage"
          unit="percent"
          more="At 100 there is no balance."
          {...form.numberField("depositPercent")}
        />
        <NativeSelect
          label="Default cancellation policy"
          description="The cancellation fee of the artist when a booking is canceled. It is shown on the profile, the booking form, the checkout and the contract."
          data={policyOptions}
          {...form.field("policyName")}
        />
      </SettingsSection>
      <SettingsSection
        title="Policies that artists can choose"
        why="An artist whose policy is not allowed uses the default. The default is always allowed. Existing bookings do not change."
      >
        <div>
          {policySwitches.map(([setting, name]) => (
            <SwitchRow
              key={setting}
              label={policyTitles[name]}
              description={`Promoters read: “${policySummary(policyNamed(name))} ${fullRefundTerms(policyNamed(name), true)}”`}
              {...form.switchField(setting)}
            />
          ))}
        </div>
      </SettingsSection>
      <SettingsSection title="Holds" why="A hold reserves nights for a promoter without a payment.">
        <UnitInput
          label="Open holds per promoter"
          unit="holds"
          more="At all artists together. Open holds are not affected by a lower limit."
          {...form.numberField("mostOpenHolds")}
        />
      </SettingsSection>
      <SettingsSection title="Currency and fee" why="Prices, deposits and payouts are in this currency.">
        <NativeSelect label="Default currency" data={currencyOptions} {...form.field("currency")} />
        <PlatformFee form={form} />
      </SettingsSection>
      <SettingsSection title="Platform" why="The time zone of the figures, and the address for emails from users.">
        <NativeSelect label="Time zone" data={timeZones(form.textOf("timeZone"))} {...form.field("timeZone")} />
        <TextInput label="Support address" type="email" maxLength={254} {...form.field("supportEmail")} />
      </SettingsSection>
      <SellerFields
        field={form.field}
        set={form.set}
        why="The issuer of commission invoices and payout statements. A change affects new documents only."
        taxNote="From 0 to 50, of the commission. It does not change what anyone pays."
      >
        <SwitchRow
          label="Prices include tax"
          description="Commission invoices show the tax that the commission includes. Turn this off to show no tax."
          {...form.switchField("pricesIncludeTax")}
        />
      </SellerFields>
      <SettingsSection
        title="When changes apply"
        why="Terms are fixed with the request. A change here never affects existing bookings."
      >
        <dl className={styles.details}>
          <DetailRow label="New requests">from the moment you save</DetailRow>
          <DetailRow label={stored.open_bookings === 1 ? "1 open booking" : `${stored.open_bookings} open bookings`}>
            keep the terms they were made with
          </DetailRow>
          {saved ? (
            <DetailRow label="Last change">
              {formatShortDate(saved.day)}, {saved.time}
              {stored.saved_by ? `, ${stored.saved_by}` : ""}
            </DetailRow>
          ) : null}
        </dl>
      </SettingsSection>
    </>
  );
}

export function currencyQuestion({ values, priced_artists, open_bookings }: Stored, currency: string) {
  const [from, to] = [values.currency, currency].map((code) => code.toUpperCase());
  return {
    title: `Change the currency to ${to}`,
    text: (
      <>
        <p>
          {priced_artists === 1
            ? `1 artist has a price in ${from}. This artist cannot be booked until the price is confirmed in ${to}.`
            : `${priced_artists} artists have prices in ${from}. They cannot be booked until they confirm a price in ${to}.`}{" "}
          They are notified by email and on their dashboards.
        </p>
        <p>
          {open_bookings === 1 ? "1 open booking keeps" : `${open_bookings} open bookings keep`} the price and the
          currency that they were made with.
        </p>
      </>
    ),
    confirm: `Change to ${to}`,
    danger: true,
  };
}

function timeZones(stored: string): string[] {
  const known = Intl.supportedValuesOf("timeZone");
  return known.includes(stored) ? known : [stored, ...known];
}

function PlatformFee({ form }: Pick<Props, "form">) {
  const { name, value, error } = form.numberField("commissionBps");
  return (
    <PercentInput
      label="Platform fee"
      name={name}
      value={value}
      max={bounds.commissionBps.max / 100}
      invalid={error !== undefined}
      description="From 0 to 50. Deducted from what the artist keeps. The promoter pays the price shown."
      onChange={(bps) => form.set("commissionBps", bps)}
    />
  );
}
