import { minuteMs } from "#platform/time/durations.rules.ts";
import { currentTime } from "../../lib/clock.ts";

/** Returns "3 hours ago", "never" without a moment. */
export function elapsed(moment: string | null): string {
  if (!moment) return "never";
  const minutes = Math.floor((currentTime().getTime() - new Date(moment).getTime()) / minuteMs);
  if (minutes < 1) return "a moment ago";
  const [count, unit] =
    minutes < 60
      ? ([minutes, "minute"] as const)
      : minutes < 60 * 48
        ? ([Math.floor(minutes / 60), "hour"] as const)
        : ([Math.floor(minutes / (60 * 24)), "day"] as const);
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
