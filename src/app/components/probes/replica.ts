import type { Payments } from "#gateway/gateway.ts";
import { maxLagMs } from "#platform/db/replica.ts";
import type { Component } from "../component.ts";
import type { RecentWork } from "../recent-work.views.ts";
import { ComponentFailure } from "../rules.ts";

const seconds = (ms: number): string => (ms < 100 ? "less than 0.1 s" : `${(ms / 1_000).toFixed(1)} s`);

export const replica: Component = {
  inUse: async (services) => {
    if (!services.replica) return undefined;
    const { version } = services.replica.state();
    return { product: version ? `PostgreSQL ${version}` : "PostgreSQL", mode: "external" };
  },
  slowMs: 1_000,
  check: () => "Check that the server of DATABASE_REPLICA_URL is running and receives the changes of the database.",
  address: ({ config }) => (config.databaseReplicaUrl ? new URL(config.databaseReplicaUrl).host : "the replica"),
  test: async (services) => {
    if (!services.replica) throw new ComponentFailure("There is no replica.", "Set DATABASE_REPLICA_URL.");
    const { isDown, lagMs, lastFailure } = await services.replica.check();
    const check = replica.check(services, "");
    if (isDown) throw new ComponentFailure("The replica does not answer.", check, lastFailure?.message);
    if (!services.replica.serves()) throw new ComponentFailure(tooFarBehind(lagMs), check);
    return "Its changes were compared with those of the database.";
  },
};

const tooFarBehind = (lagMs: number | null): string =>
  lagMs === null
    ? "The replica has not yet caught up with the database."
    : `The replica is ${seconds(lagMs)} behind, more than the ${seconds(maxLagMs)} that are allowed.`;

export function replicaWork({ replica: followed, realClock }: Payments): RecentWork {
  const none = { lastSuccessAt: null, lastFailure: null, queue: null, words: "" };
  if (!followed) return none;
  const { isDown, lagMs, lastFailure } = followed.state();
  const now = realClock.now();
  if (!followed.serves())
    return { ...none, lastFailure: isDown ? lastFailure : { at: now, message: tooFarBehind(lagMs) } };
  const behind = lagMs === 0 ? "It has every change." : `It is ${seconds(lagMs ?? 0)} behind.`;
  return { ...none, lastSuccessAt: now, lastFailure, words: behind };
}
