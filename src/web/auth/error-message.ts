/** The sentence of a failed call to the account service: the server's own, or ours when there was no answer. */
export function errorMessageOf(error: unknown): string {
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
  const unanswered = error instanceof Error && error.name === "AuthRetryableFetchError";
  return !unanswered && typeof message === "string" && message && message !== "{}"
    ? message
    : "The server could not be reached. Please try again.";
}
