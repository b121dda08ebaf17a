/** Direct connections: shows that we write into a calendar of our own on a person's CalDAV server. */

export const connectionLimits = {
  /** How many connections a person may have. */
  connections: 5,
  /** How long one call to a server may take. Ms. */
  callMs: 5_000,
  /** How long one connection is worked on before others come first. Ms. */
  turnMs: 20_000,
  /** The end of a turn in any case. Ms. */
  threadMs: 60_000,
  /** How often our calendar is compared with what the server has, without a change of a show. Minutes. */
  compareMinutes: 60,
  /** How long a connection fails before its person is notified. Hours. */
  notifyAfterHours: 24,
  /** How long we try to remove our calendar from a server that fails. Hours. */
  removeHours: 24,
} as const;

/** The pause after a failure: 1, 2, 4 … minutes, at most an hour. A password that is wrong is tried once an hour: servers lock accounts. */
export const failurePause = { firstSeconds: 60, maxSeconds: 3_600 } as const;

export const connectionFields = ["server_url", "username", "password"] as const;
export type ConnectionField = (typeof connectionFields)[number];

export const connectionStatuses = ["connecting", "ok", "failing", "removing", "removal_failed"] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

/** Returns the status of a connection by its columns. */
export function connectionStatus(connection: {
  removing_since: Date | null;
  failing_since: Date | null;
  last_success_at: Date | null;
}): ConnectionStatus {
  if (connection.removing_since) return connection.failing_since ? "removal_failed" : "removing";
  if (connection.failing_since) return "failing";
  return connection.last_success_at ? "ok" : "connecting";
}

/** The calendar that we make on the server. */
export const calendarName = "Stagedoor";
