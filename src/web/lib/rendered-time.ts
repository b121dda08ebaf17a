import { createContext, type RouterContextProvider } from "react-router";
import { apiContext } from "./api/api-context.ts";
import type { PageTime } from "./page-time.ts";

export const renderedTimeContext = createContext<PageTime | null>(null);

/** Renders the page of a loader with the server's time, in the time zone of the show. The browser hydrates it with the result. */
export async function renderedTime(context: Readonly<RouterContextProvider>, zone: string): Promise<PageTime> {
  const { clockAheadMs, timeZone } = await context.get(apiContext).settings.publicSettings();
  const time = { now: new Date(Date.now() + clockAheadMs).toISOString(), zone, platformZone: timeZone };
  context.set(renderedTimeContext, time);
  return time;
}
