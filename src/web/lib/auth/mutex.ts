/** Serializes calls that change the session's cookie across tabs, because parallel renewals resemble token theft (docs/decisions/0010). */

const waitForEarlierCallsMs = 10_000;

export const withMutex =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    // Browsers have locks only in secure contexts: https and localhost.
    if (!("locks" in navigator) || (init?.method ?? "GET") === "GET") return send(input, init);
    let sent = false;
    try {
      return await navigator.locks.request(
        "stagedoor-session-cookie",
        { signal: AbortSignal.timeout(waitForEarlierCallsMs) },
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
