import pino, { type DestinationStream, type Logger, type LoggerOptions } from "pino";

/** The structured log. Removes secrets by name, at any depth of an entry. */
export type Log = Logger;

/** In lower case: a name is removed in any case. */
const secretNames = new Set([
  "authorization",
  "cookie",
  "set-cookie",
  "password",
  "token",
  "access_token",
  "refresh_token",
  "token_hash",
  "secret",
  "secretkey",
  "secretaccesskey",
  "webhooksecret",
  "apikey",
  "esignapikey",
  "nonce",
  "captcha_token",
]);

const deepestValue = 6;

export function makeLog(level: string, destination?: DestinationStream, hooks: LoggerOptions["hooks"] = {}): Log {
  const options = {
    level,
    hooks,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (described: unknown) => described },
    formatters: { log: withoutSecrets, bindings: withoutSecrets },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Copies an object of an entry without secrets. `err` is an error, even if something else was thrown. */
function withoutSecrets(entry: object, depth = 0): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry) as [string, unknown][]) {
    if (secretNames.has(name.toLowerCase())) copy[name] = "[cut]";
    else copy[name] = name === "err" ? describeError(value) : valueWithoutSecrets(value, depth + 1);
  }
  return copy;
}

function valueWithoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (value instanceof Error) return describeError(value);
  if (depth > deepestValue) return "[deeper]";
  if (Array.isArray(value)) return value.map((one: unknown) => valueWithoutSecrets(one, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  // A request or a socket holds half of the process.
  if (prototype !== null && prototype !== Object.prototype) return `[${value.constructor.name}]`;
  return withoutSecrets(value, depth);
}

const deepestCause = 4;
const maxInnerErrors = 5;
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
      ? { errors: error.errors.slice(0, maxInnerErrors).map((inner) => describeError(inner, depth + 1)) }
      : {}),
  };
}
