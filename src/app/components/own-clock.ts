import type { Payments } from "#gateway/gateway.ts";
import { firstRowOf } from "#platform/db/index.ts";
import { deleteWrongClocks, recordNotice } from "#platform/db/platform.store.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { maxClockDifferenceMs } from "./probes/database.ts";
import { wrongClockOf } from "./recent-work.views.ts";
import { testComponent } from "./test-component.ts";

export async function measureClock({ database, realClock }: Pick<PlatformServices, "database" | "realClock">) {
  const before = realClock.now().getTime();
  const row = await firstRowOf<{ at: Date }>(database.db)`select clock_timestamp() as at`;
  const at = row?.at ?? realClock.now();
  return { at, aheadMs: (before + realClock.now().getTime()) / 2 - at.getTime() };
}

/** Makes a check of this process's clock that keeps the component `database` failing while it is wrong. The tests of other processes would pass. */
export function makeClockCheck(services: Payments): () => Promise<void> {
  const { config, database, log } = services;
  const kind = wrongClockOf(config);
  let wasWrong: boolean | undefined;
  return async () => {
    try {
      const { at, aheadMs } = await measureClock(services);
      const isWrong = Math.abs(aheadMs) > maxClockDifferenceMs;
      if (isWrong || wasWrong !== false)
        await database.transaction((tx) => (isWrong ? recordNotice(tx, kind, at) : deleteWrongClocks(tx, kind)));
      if (isWrong && !wasWrong) await testComponent(services, "database");
      wasWrong = isWrong;
    } catch (error) {
      log.warn({ err: error }, "the clock could not be compared with that of the database");
    }
  };
}
