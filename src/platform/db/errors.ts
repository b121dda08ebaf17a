/** What a database error says, alike on both engines. */

/** The five-letter SQLSTATE of a database error, or undefined when it is none. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined;
}

/** The name of the constraint a database error complains about. */
export function brokenConstraint(error: unknown): string | undefined {
  return error instanceof Error && "constraint" in error && typeof error.constraint === "string"
    ? error.constraint
    : undefined;
}
