import pino, { type DestinationStream, type Logger } from "pino";

/** The structured log. Removes secrets by name, at any depth of an entry. */
export type Log = Logger;

const secretNames = [
  "authorization",
  "cookie",
  "set-cookie",
  "password",
  "token",
  "access_token",
  "refresh_token",
  "token_hash",
  "secret",
  "secretKey",
  "secretAccessKey",
  "webhookSecret",
  "apiKey",
  "esignApiKey",
  "nonce",
  "captcha_token",
];

export function makeLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: { pid: process.pid },
    serializers: { err: describeError },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: "[cut]",
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

const deepestCause = 4;
const mostInnerErrors = 5;
/** What a database adds to an error message: the text that it could not read. */
const quotedInput =
  /(invalid input (?:syntax|value)[^:]*|value out of range[^:]*|date\/time field value out of range|malformed array literal): .*/s;

/** Returns an error for the log: kind, message, code, statement, constraint, stack and causes. Other properties may hold personal data. */
export function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: typeof error === "string" ? error : typeof error };
  const { name, message, stack = "", cause } = error;
  const more = error as Error & { code?: unknown; statement?: unknown; constraint?: unknown };
  return {
    type: error.constructor.name || name,
    message: message.replace(quotedInput, "$1"),
    ...(typeof more.code === "string" || typeof more.code === "number" ? { code: more.code } : {}),
    ...(typeof more.statement === "string" ? { statement: more.statement } : {}),
    ...(typeof more.constraint === "string" ? { constraint: more.constraint } : {}),
    stack: stack
      .split("\n")
      .filter((line) => /^\s+at /.test(line))
      .join("\n"),
    ...(cause !== undefined && depth < deepestCause ? { cause: describeError(cause, depth + 1) } : {}),
    ...(error instanceof AggregateError && depth < deepestCause
      ? { errors: error.errors.slice(0, mostInnerErrors).map((inner) => describeError(inner, depth + 1)) }
      : {}),
  };
}
