import { giveArtist, lockArtistOf, retireOwnArtist } from "#artists/handlers.ts";
import { reencryptConnections } from "#calendar/connections/index.ts";
import { reencryptFeeds } from "#calendar/feeds/index.ts";
import { reencryptExternalCalendars } from "#calendar/import/index.ts";
import { reencryptContracts } from "#contracts/index.ts";
import { type PaymentServices } from "#gateway/gateway.ts";
import { openPayments } from "#payments/index.ts";
import { type Config, ConfigError, requireCurrentSeal } from "#platform/config.ts";
import {
  type Database,
  logSlowStatements,
  migrate,
  openDatabase,
  refuseNewerDatabase,
  sqlState,
} from "#platform/db/index.ts";
import { makeOutageLog } from "#platform/db/outage.ts";
import { followReplica } from "#platform/db/replica.ts";
import { type DemoClock, dropDemoClock, openDemoClock } from "#platform/demo-clock.ts";
import { openStorage } from "#platform/files/open-files.ts";
import { type Log, makeLog } from "#platform/log.ts";
import type { ListedTable } from "#platform/personal-data/data-export.ts";
import { type AuthTiming, authTiming } from "#platform/security/auth-timing.ts";
import { loadKeys, requireRootKey } from "#platform/security/keys.ts";
import { makeLimits } from "#platform/security/limits.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { type Clock, systemClock } from "#platform/time/clock.ts";
import { type RealtimeServices, makeStreams } from "#realtime/index.ts";
import { reencryptSettings } from "#settings/index.ts";
import { reencryptAccounts, streamAuth } from "#users/index.ts";
import { backUpBeforeUpgrade } from "./backup/before-upgrade.ts";
import { personalDataTables } from "./personal-data/index.ts";
import { refuseSandboxPayments } from "./sandbox-payments.views.ts";

export type Services = PlatformServices &
  PaymentServices &
  RealtimeServices &
  Readonly<{
    demoClock: DemoClock | null;
    personalDataTables: readonly ListedTable[];
    ownArtists: typeof ownArtists;
  }>;

const ownArtists = { lock: lockArtistOf, retire: retireOwnArtist, give: giveArtist };

export type OpenServices = Services & { onWake(listener: () => void): void; close(): Promise<void> };

/** A prepared statement that another client has made, or that is on another connection. */
const preparedElsewhere = new Set(["42P05", "26000"]);

/** Opens the database (migrated), keys, limits and providers. `parts` replaces what tests control. */
export async function openServices(
  config: Config,
  parts: { clock?: Clock; log?: Log; database?: Database; authTiming?: AuthTiming } = {},
): Promise<OpenServices> {
  const outages = makeOutageLog();
  const log = parts.log ?? makeLog(config.logLevel, undefined, { logMethod: outages.logMethod });
  const realClock = parts.clock ?? systemClock;
  requireCurrentSeal(config, realClock.now());
  const database =
    parts.database ??
    (await openDatabase({
      url: config.databaseUrl,
      directUrl: config.databaseDirectUrl,
      dataDir: config.dataDir,
      prepare: config.prepareStatements,
    }));
  try {
    await refuseNewerDatabase(database, config.allowNewerDatabase);
    await refuseSandboxPayments(database, config);
    await backUpBeforeUpgrade(database, { config, now: realClock.now(), log });
    await migrate(database, { check: (tx) => requireRootKey(tx, config) });
    outages.watch(database, log);
    logSlowStatements(database, log, config.slowStatementMs);
    const keys = await loadKeys(database, config, async (tx, fresh) => {
      await reencryptAccounts(tx, fresh);
      await reencryptSettings(tx, fresh);
      await reencryptContracts(tx, fresh);
      await reencryptFeeds(tx, fresh);
      await reencryptExternalCalendars(tx, fresh);
      await reencryptConnections(tx, fresh);
    });
    const limits = makeLimits({ database, keys, clock: realClock, on: config.rateLimits });
    const files = await openStorage(config, keys.installation);
    // A real payment provider rejects dates of a moved clock.
    const demoClock = config.demo && !config.stripe ? await openDemoClock({ database, real: realClock, log }) : null;
    if (!demoClock) await dropDemoClock({ database, log });
    const replica = config.databaseReplicaUrl
      ? followReplica(config.databaseReplicaUrl, { primary: database, log, clock: realClock })
      : null;
    const listeners: (() => void)[] = replica ? [replica.refresh] : [];
    const platform: PlatformServices = {
      config,
      clock: demoClock?.clock ?? realClock,
      realClock,
      log,
      database,
      replica,
      keys,
      files,
      limits,
      authTiming: parts.authTiming ?? authTiming,
      wake: () => listeners.forEach((listen) => listen()),
    };
    const payments = await openPayments(platform);
    const streams = makeStreams(platform, streamAuth(platform));
    return {
      ...platform,
      ...payments.services,
      streams,
      demoClock,
      personalDataTables,
      ownArtists,
      onWake: (listener) => void listeners.push(listener),
      close: async () => {
        await streams.drain();
        await payments.close();
        await demoClock?.close();
        await replica?.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    if (preparedElsewhere.has(sqlState(error) ?? ""))
      throw new ConfigError(
        "DATABASE_URL: the pooler gives one connection to several clients, and their prepared statements collide. Set DATABASE_PREPARE=off, or use PgBouncer 1.21 or later with max_prepared_statements (docs/operate/scale.md).",
        { cause: error },
      );
    throw error;
  }
}
