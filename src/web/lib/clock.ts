/** The header by which every answer of the API says how many milliseconds the clock is ahead; without it, it is not. */
const header = "x-clock-ahead";

/** The page carries the number as an attribute from its first paint on. For a browser only. */
const aheadMs = (): number => Number(document.documentElement.dataset["clockAhead"] ?? 0);

/** Returns the current time, including the demo clock's offset. Browser only. */
export const currentTime = (): Date => new Date(Date.now() + aheadMs());

/** Sends a call and takes over how far the clock has been moved meanwhile: an open page follows without a reload. */
export async function fetchWithClock(request: Request, init: RequestInit): Promise<Response> {
  const response = await fetch(request, init);
  const ahead = response.headers.get(header);
  if (ahead !== null) document.documentElement.dataset["clockAhead"] = ahead;
  return response;
}
