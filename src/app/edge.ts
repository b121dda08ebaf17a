/** The edge of the API: who calls, may they, and how a refusal is said. */
import { ORPCError } from "@orpc/server";
import type { EndpointMeta } from "#platform/http/api.ts";
import { allowCall } from "#platform/http/access.ts";
import type { Context } from "#platform/http/context.ts";
import { problemOf, type ErrorBody } from "#platform/http/problems.ts";

/** A refusal on its way out, with the id under which the log tells more. */
export class ApiError extends ORPCError<string, unknown> {
  readonly requestId: string;

  constructor(refusal: ErrorBody, status: number) {
    super(refusal.code, { status, message: refusal.message, data: refusal.data });
    this.requestId = refusal.requestId;
  }
}

type Call<T> = { context: Context; procedure: unknown; next(): Promise<T> };

/** The meta of a declared endpoint. Every endpoint has one: the declaration starts with it. */
function accessOf(procedure: unknown): EndpointMeta["access"] {
  const definition = (procedure as { "~orpc": { meta: Partial<EndpointMeta> } })["~orpc"];
  return definition.meta.access ?? "admin";
}

/** Runs one call: asks for access first, and turns whatever is thrown into a refusal. */
export async function guardCall<T>(call: Call<T>): Promise<T> {
  try {
    allowCall(accessOf(call.procedure), call.context);
    return await call.next();
  } catch (error) {
    throw apiErrorFor(error, call.context);
  }
}

/** The refusal of an error; a bug is logged with its stack and answered with a sentence. */
export function apiErrorFor(error: unknown, context: Pick<Context, "request" | "reply" | "services">): ApiError {
  if (error instanceof ApiError) return error;
  const problem = problemOf(error);
  const requestId = context.request.id;
  if (!problem) {
    context.services.log.error({ err: error, requestId }, "a request failed");
    return new ApiError(
      { code: "internal", message: `Something went wrong. Please try again; reference ${requestId}.`, requestId },
      500,
    );
  }
  if (problem.retryAfterSeconds) context.reply.header("retry-after", String(problem.retryAfterSeconds));
  return new ApiError({ code: problem.code, message: problem.message, requestId, data: problem.data }, problem.status);
}

/** The JSON body of a refusal. */
export const errorBodyOf = (error: ORPCError<string, unknown>): ErrorBody => ({
  code: error.code,
  message: error.message,
  requestId: error instanceof ApiError ? error.requestId : "",
  ...(error.data === undefined ? {} : { data: error.data }),
});
