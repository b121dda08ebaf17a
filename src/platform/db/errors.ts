export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined;
}

export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof Error && "constraint" in error && typeof error.constraint === "string"
    ? error.constraint
    : undefined;
}

/** Connection (08), resources (53), shutdown and start-up (57P), silent transaction (25P03), closed to connections (55000), read-only standby (25006), I/O (58030). */
const unavailableState = /^(08...|53...|57P0[1-3]|25P03|55000|25006|58030)$/;
const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
const driverMessages =
  /^(Query read timeout|Connection terminated\b|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed and is not queryable|could not write init file|the embedded database has failed)/;

export const cannotStore = (error: unknown): boolean =>
  /^(53100|25006|58030)$/.test(sqlState(error) ?? "") ||
  (error instanceof Error && /No space left on device|ENOSPC/.test(error.message));

/** Returns true if the database is unreachable or cannot store anything. */
export function isOutage(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  if (!(error instanceof Error)) return false;
  if (cannotStore(error) || unavailableState.test(sqlState(error) ?? "") || driverMessages.test(error.message))
    return true;
  // Other clients (fetch, Stripe, mail) wrap their socket errors. A bare one is the driver's.
  return "syscall" in error && "code" in error && networkCodes.has(String(error.code));
}

const withData = ["params", "query", "queryOptions", "detail", "where", "internalQuery", "hint"];

/** Removes personal data from a database error and names the statement: "insert users". */
export function nameStatement(error: unknown, text: string): void {
  if (!(error instanceof Error) || "statement" in error) return;
  for (const name of withData) if (name in error) Reflect.deleteProperty(error, name);
  const verb = /^\s*(?:\/\*.*?\*\/\s*)?(\w+)/.exec(text)?.[1] ?? "";
  const table = /\b(?:from|into|update|join)\s+"?(\w+)"?/i.exec(text)?.[1] ?? "";
  Object.assign(error, { statement: `${verb} ${table}`.trim().toLowerCase() });
}
