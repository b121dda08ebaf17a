import { type Weekday, weekdays } from "#settings/choices.rules.ts";

type NightSwitches = { readonly [Day in Weekday as `playsOn-${Day}`]: boolean };

export const weekNights = (["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const).map((day, at) => ({
  setting: `playsOn-${day}` as const,
  label: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][at] ?? "",
}));

export const weekNightNames = Object.fromEntries(
  weekNights.map(({ setting, label }) => [setting, `${label}s`]),
) as Record<keyof NightSwitches, string>;

export const switchesOf = (openNights: readonly string[]): NightSwitches =>
  Object.fromEntries(weekdays.map((day) => [`playsOn-${day}`, openNights.includes(day)])) as NightSwitches;

/** Returns the changed settings in the API's form. The list of nights is complete even if only one changed. */
export function withOpenNights<V extends Partial<NightSwitches>>(changed: V, openNights: readonly string[]) {
  const now = { ...switchesOf(openNights), ...changed };
  const rest = Object.fromEntries(Object.entries(changed).filter(([name]) => !(name in weekNightNames)));
  const isChanged = Object.keys(changed).some((name) => name in weekNightNames);
  return (isChanged ? { ...rest, openNights: weekdays.filter((day) => now[`playsOn-${day}`]) } : rest) as Omit<
    V,
    keyof NightSwitches
  > & { openNights?: Weekday[] };
}
