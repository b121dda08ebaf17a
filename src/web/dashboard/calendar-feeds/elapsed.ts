import { minuteMs } from "#platform/time/durations.rules.ts";

export function elapsed(since: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - since.getTime()) / minuteMs);
  if (minutes < 1) return "a moment ago";
  const [count, unit] =
    minutes < 60
      ? ([minutes, "minute"] as const)
      : minutes < 60 * 48
        ? ([Math.floor(minutes / 60), "hour"] as const)
        : ([Math.floor(minutes / (60 * 24)), "day"] as const);
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
