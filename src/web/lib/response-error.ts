/** Returns the error of a call without the API client, which `apiErrorOf` reads. `message` is for a body that is not ours. */
export function responseError(message: string, status: number, body: unknown): Error {
  const code = typeof body === "object" && body !== null && "code" in body ? String(body.code) : "internal";
  return Object.assign(new Error(message), { status, code, data: body });
}
