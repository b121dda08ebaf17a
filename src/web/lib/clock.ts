import { pageTime } from "./page-time.ts";

/** The response header with the milliseconds that the clock is ahead. Absent without an offset. */
const header = "x-clock-ahead";

/** The page has the offset as an attribute from the first paint. Browser only. */
const aheadMs = (): number => Number(document.documentElement.dataset["clockAhead"] ?? 0);

/** Returns the current time, including the demo clock's offset. On the server only for a page with a `PageTime`. */
export const currentTime = (): Date => new Date(pageTime()?.now ?? Date.now() + aheadMs());

/** Sends a call and stores the response's clock offset, so an open page follows without a reload. */
export async function fetchWithClock(request: Request, init: RequestInit): Promise<Response> {
  const response = await fetch(request, init);
  const ahead = response.headers.get(header);
  if (ahead !== null) document.documentElement.dataset["clockAhead"] = ahead;
  return response;
}
