import { ORPCError } from "@orpc/server";
import { Problem } from "#platform/errors.ts";
import { allowCall, isRecentCaller, reauthenticationNeeded } from "#platform/http/access.ts";
import type { EndpointMeta } from "#platform/http/api.ts";
import type { Context } from "#platform/http/context.ts";
import { type ErrorBody, errorBody, logFailure, problemOf } from "#platform/http/problems.ts";
import { networkOf } from "#platform/security/limits.ts";

export class ApiError extends ORPCError<string, unknown> {
  readonly requestId: string;

  constructor(body: ErrorBody, status: number) {
    super(body.code, { status, message: body.message, data: body.data });
    this.requestId = body.requestId;
  }
}

type Call<T> = { context: Context; procedure: unknown; input: unknown; next(changed?: never): Promise<T> };

const metaOf = (procedure: unknown): Partial<EndpointMeta> =>
  (procedure as { "~orpc": { meta: Partial<EndpointMeta> } })["~orpc"].meta;

const accessOf = (procedure: unknown): EndpointMeta["access"] => metaOf(procedure).access ?? "admin";

/** Runs one call after an access check. Throws an `ApiError` for every error. */
export async function guardCall<T>(call: Call<T>): Promise<T> {
  try {
    const { demoOnly, recent, cacheable, replica } = metaOf(call.procedure);
    const { publicDb, services } = call.context;
    if (demoOnly && !services.config.demo) throw new Problem("not_found", "There is nothing at this address.");
    allowCall(accessOf(call.procedure), call.context);
    const needsRecent = typeof recent === "function" ? recent(call.input) : recent;
    if (needsRecent && !isRecentCaller(call.context)) throw reauthenticationNeeded();
    if (!publicDb || !(cacheable || replica)) return await call.next();
    return await call.next({ ...call, context: { ...call.context, db: publicDb } } as never);
  } catch (error) {
    logDeniedCall(error, call);
    throw apiErrorFor(error, call.context);
  }
}

function logDeniedCall(error: unknown, { context, procedure }: Pick<Call<unknown>, "context" | "procedure">): void {
  const problem = problemOf(error);
  if (problem?.kind !== "unauthenticated" && problem?.kind !== "forbidden") return;
  const { route } = (procedure as { "~orpc": { route: { operationId?: string } } })["~orpc"];
  context.services.log.warn(
    {
      event: "call_refused",
      code: problem.code,
      operation: route.operationId,
      userId: context.actor?.userId,
      requestId: context.request.id,
      network: networkOf(context.request.ip),
    },
    "a call was refused",
  );
}

/** Returns the error response of an error. Bugs and outages are logged. The response to a bug has a reference and no details. */
function apiErrorFor(error: unknown, context: Pick<Context, "request" | "reply" | "services">): ApiError {
  if (error instanceof ApiError) return error;
  const problem = problemOf(error);
  const requestId = context.request.id;
  logFailure(context.services.log, { error, problem, requestId });
  if (problem?.retryAfterSeconds) context.reply.header("retry-after", String(problem.retryAfterSeconds));
  return new ApiError(errorBody(problem, requestId), problem?.status ?? 500);
}

export const errorBodyOf = (error: ORPCError<string, unknown>): ErrorBody => ({
  code: error.code,
  message: error.message,
  requestId: error instanceof ApiError ? error.requestId : "",
  ...(error.data === undefined ? {} : { data: error.data }),
});
