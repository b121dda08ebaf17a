export type ApiError = Readonly<{
  message: string;
  code: string;
  status: number | undefined;
  reference: string | undefined;
  fields: Readonly<Record<string, string>>;
  detail: unknown;
}>;

/** There was no response. The browser reports whether the device is offline. */
const unreachable = (): ApiError => ({
  message:
    typeof navigator !== "undefined" && navigator.onLine === false
      ? "You are offline. Please check your connection and try again."
      : "The server could not be reached. Please check your connection and try again.",
  code: "unreachable",
  status: undefined,
  reference: undefined,
  fields: {},
  detail: undefined,
});

const part = (source: unknown, name: string): unknown =>
  typeof source === "object" && source !== null ? Reflect.get(source, name) : undefined;
const text = (source: unknown, name: string): string | undefined => {
  const value = part(source, name);
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** Detects a server response by its shape, because the client's class would load the client on every page. */
const isAnswer = (error: unknown): error is Error & { status: number; code: string; data?: unknown } =>
  error instanceof Error &&
  "status" in error &&
  typeof error.status === "number" &&
  "code" in error &&
  typeof error.code === "string";

/** Converts a thrown error. An error that is not our server's response counts as a lost connection. */
export function apiErrorOf(error: unknown): ApiError {
  if (!isAnswer(error)) return unreachable();
  const body: unknown = error.data;
  const message = text(body, "message");
  if (!message)
    return error.status >= 500
      ? unreachable()
      : { ...unreachable(), message: error.message, code: error.code, status: error.status, detail: body };
  const detail = part(body, "data");
  return {
    message,
    code: text(body, "code") ?? error.code,
    status: error.status,
    reference: text(body, "requestId") ?? text(error, "requestId"),
    fields: fieldsOf(detail),
    detail,
  };
}

function fieldsOf(detail: unknown): Record<string, string> {
  const named = part(detail, "fields");
  if (!Array.isArray(named)) return {};
  return Object.fromEntries(
    named.flatMap((one: unknown) => {
      const field = text(one, "field");
      const message = text(one, "message");
      return field && message ? [[field, message]] : [];
    }),
  );
}

/** Returns undefined for a record that is missing (404) or whose address is malformed (400). Throws other errors. */
export async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    const { status } = apiErrorOf(error);
    if (status === 404 || status === 400) return undefined;
    throw error;
  }
}
