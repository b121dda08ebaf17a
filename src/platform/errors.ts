const problemStatus = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported: 415,
  too_many: 429,
  not_implemented: 501,
  unavailable: 503,
} as const;

export type ProblemCode = keyof typeof problemStatus;

export const outageRetrySeconds = 5;

type ProblemMore = { data?: unknown; code?: string; retryAfterSeconds?: number; cause?: unknown };

/** An expected failure with a message for the user. Any other thrown error is a bug. */
export class Problem extends Error {
  readonly kind: ProblemCode;
  /** The machine-readable code: the kind, unless clients expect another code. */
  readonly code: string;
  readonly status: number;
  readonly data: unknown;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ProblemCode, message: string, more: ProblemMore = {}) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.name = "Problem";
    this.kind = kind;
    this.code = more.code ?? kind;
    this.status = problemStatus[kind];
    this.data = more.data;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** Makes the error of a missing single row: 404 with the code PGRST116. */
export const notFound = (message: string) => new Problem("not_found", message, { code: "PGRST116" });

/** Makes the error of an action that the current state does not allow (409). */
export const conflict = (message: string, more?: ProblemMore) => new Problem("conflict", message, more);

/** Makes the error of an input that the user can correct (400). */
export const invalid = (message: string, more?: ProblemMore) => new Problem("invalid", message, more);

/** Makes the same error with its message beside a field of the form. `more`: further data for programs. */
export const invalidField = (field: string, message: string, more: object = {}) =>
  invalid(message, { data: { fields: [{ field, message }], ...more } });

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code ?? "") : "";
