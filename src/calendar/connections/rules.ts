export const connectionLimits = {
  connections: 5,
  callMs: 5_000, // one call
  turnMs: 20_000, // one connection, before others come first
  threadMs: 60_000, // the hard limit of a sync
  compareMinutes: 60, // between comparisons with the server without a change of a show
  notifyAfterHours: 24, // after the first failure
  removeHours: 24, // the removal of our calendar from a failing server is retried for so long
} as const;

/** The pause after a failure: 1, 2, 4 … minutes, at most an hour. A wrong password is tried once an hour, because servers lock accounts. */
export const failurePause = { firstSeconds: 60, maxSeconds: 3_600 } as const;

export const connectionFields = ["server_url", "username", "password"] as const;
export type ConnectionField = (typeof connectionFields)[number];

export const connectionStatuses = ["connecting", "ok", "failing", "removing", "removal_failed"] as const;
type ConnectionStatus = (typeof connectionStatuses)[number];

export function connectionStatus(connection: {
  removing_since: Date | null;
  failing_since: Date | null;
  last_success_at: Date | null;
}): ConnectionStatus {
  if (connection.removing_since) return connection.failing_since ? "removal_failed" : "removing";
  if (connection.failing_since) return "failing";
  return connection.last_success_at ? "ok" : "connecting";
}

export const calendarName = "Stagedoor";
