import { ORPCError } from "@orpc/server";
import { isOutage, sqlState } from "../db/index.ts";
import { outageRetrySeconds, Problem, invalid } from "../errors.ts";
import type { Log } from "../log.ts";

export type ErrorBody = { code: string; message: string; requestId: string; data?: unknown };

/** Returns the body of an error. Without a problem it is a bug, and the reference leads to the log. */
export const errorBody = (problem: Problem | undefined, requestId: string): ErrorBody => ({
  code: problem?.code ?? "internal",
  message: problem?.message ?? `Something went wrong. Please try again. Reference ${requestId}.`,
  requestId,
  ...(problem?.data === undefined ? {} : { data: problem.data }),
});

/** Logs a bug with its stack, an outage with its cause. Expected failures need no entry. */
export function logFailure(log: Log, what: { error: unknown; problem: Problem | undefined; requestId: string }): void {
  const { error, problem, requestId } = what;
  if (!problem) log.error({ err: error, requestId }, "a request failed");
  else if (problem.cause !== undefined)
    log.warn({ err: problem.cause, requestId, code: problem.code }, "the database refused a request's statement");
}

type Issue = { path?: readonly unknown[]; message: string };

export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof ORPCError) return fromEdge(error);
  if (sqlState(error) === "57014")
    return new Problem(
      "unavailable",
      "The request took too long and was stopped. Nothing was changed. Please try again.",
    );
  if (isOutage(error)) return outage(error);
  if (unusableValue.test(sqlState(error) ?? ""))
    return invalid("A value of this request cannot be stored or compared. Check the values of the request.", {
      cause: error,
    });
  if (isClientFault(error)) return fromFastify(error);
  return undefined;
}

/** Values that a declaration should have rejected. The caller gets an invalid request, and the log names the statement. */
const unusableValue = /^(22003|22007|22008|22009|22P02|22P05|22021)$/;

/** The message does not state what was stored: a connection lost at the commit leaves that open. */
const outage = (cause: unknown) =>
  new Problem("unavailable", "The database cannot be reached at the moment. Please try again in a few seconds.", {
    retryAfterSeconds: outageRetrySeconds,
    cause,
  });

function fromEdge(error: ORPCError<string, unknown>): Problem | undefined {
  const cause = error.cause;
  if (cause instanceof Problem) return cause;
  if (isOutage(cause)) return outage(cause);
  if (error.code === "BAD_REQUEST") return invalidInput(error.data);
  if (error.code === "NOT_FOUND") return new Problem("not_found", "There is nothing at this address.");
  if (error.status >= 400 && error.status < 500) return invalid(error.message);
  return undefined;
}

/** Returns a field's name for users: "Client name" of "items.0.client_name". */
export function fieldLabel(path: string): string {
  const name = path.split(".").findLast((part) => /[a-z]/i.test(part)) ?? "";
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function invalidInput(data: unknown): Problem {
  const issues = (
    data && typeof data === "object" && "issues" in data && Array.isArray(data.issues) ? data.issues : []
  ) as Issue[];
  const fields = issues.map((issue) => ({ field: (issue.path ?? []).map(String).join("."), message: issue.message }));
  const first = fields[0];
  if (!first) return invalid("The request could not be read.", { data: { fields } });
  const label = fieldLabel(first.field);
  return invalid(label ? `${label}: ${first.message}` : first.message, { data: { fields } });
}

type FastifyFault = Error & { statusCode: number; code?: string };

const isClientFault = (error: unknown): error is FastifyFault =>
  error instanceof Error &&
  "statusCode" in error &&
  typeof error.statusCode === "number" &&
  error.statusCode >= 400 &&
  error.statusCode < 500;

function fromFastify(error: FastifyFault): Problem {
  if (error.statusCode === 413) return new Problem("too_large", "The request is too large.");
  if (error.statusCode === 415) return new Problem("unsupported", "This content type is not supported. Send JSON.");
  if (error.statusCode === 404) return new Problem("not_found", "There is nothing at this address.");
  return invalid(error.message);
}
