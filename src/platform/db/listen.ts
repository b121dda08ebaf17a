import pg from "pg";
import { jitteredBackoffMs } from "../time/retry.ts";
import type { ChannelListener } from "./handles.ts";

const backoff = { firstSeconds: 0.1, maxSeconds: 5 };
/** The interval of the connection check: a connection that a firewall dropped stays silent forever. */
const probeEveryMs = 15_000;
const patienceMs = 5_000;

/** Listens on a channel until the returned function is called. Returns after the first try, even if it failed. */
export async function listenOnPostgres(
  url: string,
  channel: string,
  listener: ChannelListener,
): Promise<() => Promise<void>> {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let tries = 0;
  let gap = false;

  const again = (error: unknown) => {
    if (closed) return;
    gap = true;
    if (tries === 0) listener.onError(error);
    timer = setTimeout(() => void connect(), jitteredBackoffMs(++tries, backoff)).unref();
  };

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: "stagedoor signals",
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      keepAlive: true,
    });
    client = next;
    let over = false;
    const lost = (error: unknown) => {
      if (over) return;
      over = true;
      clearInterval(probing);
      void end(next);
      again(error);
    };
    const probing = setInterval(() => void next.query("select 1").catch(lost), probeEveryMs).unref();
    next.on("error", lost);
    next.on("end", () => lost(new Error("the connection that listens for notifications has ended")));
    next.on("notification", (notice) => listener.onNotification(notice.payload ?? ""));
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      return lost(error);
    }
    tries = 0;
    if (gap) listener.onResync();
    gap = false;
  }

  await connect();
  return async () => {
    closed = true;
    clearTimeout(timer);
    if (client) await end(client);
  };
}

/** Ends a connection that may be broken. Ignores errors and waits at most 1 second. */
const end = (client: pg.Client): Promise<void> =>
  Promise.race([
    client.end().catch(() => undefined),
    new Promise<void>((resolve) => void setTimeout(resolve, 1_000).unref()),
  ]);
