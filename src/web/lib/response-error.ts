export const proxyRejection = (status: number): string =>
  status === 429
    ? "Too many requests were sent. Please wait a minute and try again."
    : `The request was refused (error ${status}). Please try again later.`;

/** Returns the error of a call without the API client, which `apiErrorOf` reads. `message` is for a body that is not ours. */
export function responseError(message: string, status: number, body: unknown): Error {
  const code = typeof body === "object" && body !== null && "code" in body ? String(body.code) : "internal";
  return Object.assign(new Error(status === 429 ? proxyRejection(status) : message), { status, code, data: body });
}
