import { errorCode } from "../../errors.ts";

export function causesOf(error: unknown): Error[] {
  if (error instanceof AggregateError) return [error, ...error.errors.flatMap(causesOf)];
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, "the connection was refused"],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, "the host was not found"],
  [/EHOSTUNREACH|ENETUNREACH/, "there is no route to the host"],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET/, "the connection was closed"],
  [/WRONG_VERSION_NUMBER|wrong version number/, "it does not use TLS on this port"],
  [/CERT|SELF_SIGNED|SSL|TLS|ESOCKET .*certificate/, "its certificate is not accepted"],
  [/ETIMEDOUT|TIMEOUT|TimeoutError|AbortError/, "it did not respond in time"],
];

/** Returns why a connection failed, in words, or undefined if the error is of another kind. */
export function networkReason(error: unknown): string | undefined {
  const found = causesOf(error).map((one) => `${errorCode(one)} ${one.name} ${one.message}`);
  return reasons.find(([pattern]) => found.some((text) => pattern.test(text)))?.[1];
}
