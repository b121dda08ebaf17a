/** Serializes calls that change the session's cookie across tabs; parallel renewals would look like theft (docs/decisions/0010). */

/** How long a call waits for those before it, in milliseconds, should one of them hang. */
const patience = 10_000;

/** Makes every call but those that only read wait for the ones before it, in whatever tab. */
export const withMutex =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    // Browsers have locks where the page is trustworthy, which https and localhost are.
    if (!("locks" in navigator) || (init?.method ?? "GET") === "GET") return send(input, init);
    let sent = false;
    try {
      return await navigator.locks.request(
        "stagedoor-session-cookie",
        { signal: AbortSignal.timeout(patience) },
        () => {
          sent = true;
          return send(input, init);
        },
      );
    } catch (error) {
      if (sent) throw error;
      return send(input, init);
    }
  };
