import { TextInput } from "@mantine/core";
import type { ComponentProps } from "react";
import { assumedShow } from "#calendar/night.rules.ts";
import { holdRules } from "#calendar/queue.rules.ts";
import { localInstant } from "#platform/time/local-time.rules.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { FormDateField, typedDay } from "../../dashboard/forms/form-date-field.tsx";
import { todayIn } from "../../ui/date-field/day-limits.ts";

type End = Record<"untilDay" | "untilTime", string>;

export const holdEndRules = (timeZone: string) => ({
  untilDay: (text: string) => (typedDay(text, todayIn(timeZone)) ? undefined : "Choose a day."),
  untilTime: (text: string) => (text ? undefined : "Enter a time."),
});

export const readHoldEnd = ({ untilDay, untilTime }: End, timeZone: string): Date =>
  localInstant(`${typedDay(untilDay, todayIn(timeZone))}T${untilTime}`, timeZone);

type Props = Readonly<{
  form: ComponentProps<typeof FormDateField<keyof End>>["form"];
  timeZone: string;
  isFirst?: boolean;
}>;

export const HoldEndFields = ({ form, timeZone, isFirst }: Props) => (
  <>
    <FormDateField label="Ends on" form={form} name="untilDay" today={todayIn(timeZone)} isFirst={isFirst} />
    <TextInput
      label="Ends at"
      description={`Within the next ${holdRules.maxDays} days, in your profile’s time zone (${formatTimeZone(timeZone)}). A hold ends at ${assumedShow.time} of its night at the latest.`}
      type="time"
      {...form.field("untilTime")}
    />
  </>
);
