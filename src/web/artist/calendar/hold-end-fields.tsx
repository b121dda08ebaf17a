import { TextInput } from "@mantine/core";
import type { ComponentProps } from "react";
import { assumedShow } from "#calendar/night.rules.ts";
import { holdRules } from "#calendar/queue.rules.ts";
import { localInstant } from "#platform/time/local-time.rules.ts";
import { formatTimeZone } from "#platform/time/time-zones.rules.ts";
import { FormDateField, typedDay } from "../../dashboard/forms/form-date-field.tsx";
import { todayIn } from "../../ui/date-field/day-limits.ts";

type End = Record<"until" | "untilTime", string>;

export const holdEndRules = (timeZone: string) => ({
  until: (text: string) => (typedDay(text, todayIn(timeZone)) ? undefined : "Choose a day."),
  untilTime: (text: string) => (text ? undefined : "Enter a time."),
});

export const readHoldEnd = ({ until, untilTime }: End, timeZone: string): Date =>
  localInstant(`${typedDay(until, todayIn(timeZone))}T${untilTime}`, timeZone);

type Props = Readonly<{
  form: ComponentProps<typeof FormDateField<keyof End>>["form"];
  timeZone: string;
  autoFocus?: boolean;
}>;

export const HoldEndFields = ({ form, timeZone, autoFocus = false }: Props) => (
  <>
    <FormDateField
      label="Ends on"
      form={form}
      name="until"
      today={todayIn(timeZone)}
      isFirst={autoFocus}
      autoFocus={autoFocus}
    />
    <TextInput
      label="Ends at"
      description={`Within the next ${holdRules.maxDays} days, in your profile’s time zone (${formatTimeZone(timeZone)}). A hold ends at ${assumedShow.time} on its night at the latest.`}
      type="time"
      {...form.field("untilTime")}
    />
  </>
);
