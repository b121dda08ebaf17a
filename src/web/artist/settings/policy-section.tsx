import { NativeSelect } from "@mantine/core";
import { policyNamed } from "#bookings/rules/cancellation/cancellation.rules.ts";
import { policySummary, fullRefundTerms } from "#bookings/rules/cancellation/policy-text.rules.ts";
import { policyTitles, type PolicyName } from "#settings/policy-names.rules.ts";
import { SettingsSection } from "../../dashboard/settings/settings-sheet.tsx";
import type { useSettingsForm } from "../../dashboard/settings/use-settings-form.ts";
import type { ArtistSettings } from "../../lib/api/settings.ts";
import type { switchesOf } from "./weekdays.ts";

export type FormValues = Omit<ArtistSettings["values"], "openNights" | "nightExceptions"> &
  ReturnType<typeof switchesOf>;
export type TabProps = Readonly<{ form: ReturnType<typeof useSettingsForm<FormValues>>; stored: ArtistSettings }>;

export function PolicySection({ form, stored }: TabProps) {
  const { policies, policy_default: standard } = stored.artist;
  const chosen = form.textOf("policyName");
  const isAllowed = policies.some((name) => name === chosen);
  const policy = policyNamed(isAllowed ? chosen : standard);
  const options = [
    { value: "", label: `Platform default (${policyTitles[standard]})` },
    ...policies.map((name) => ({ value: name, label: policyTitles[name] })),
    ...(chosen === "" || isAllowed
      ? []
      : [{ value: chosen, label: `${policyTitles[chosen as PolicyName]} (no longer allowed)` }]),
  ];
  return (
    <SettingsSection
      title="Cancellation"
      why="Your cancellation fee if a promoter cancels. We show it on your profile, the booking form, the checkout and the contract. A change does not affect requests and bookings that you already have."
    >
      <NativeSelect label="Cancellation policy" data={options} {...form.field("policyName")} />
      <p className="small quiet">
        Promoters read: “{policySummary(policy, form.isOn("requireDeposit"))}{" "}
        {fullRefundTerms(policy, form.isOn("requireDeposit"))}”
      </p>
    </SettingsSection>
  );
}
