import type { ProblemCode } from "#platform/errors.ts";
import type { Access } from "#platform/http/api.ts";

export const accessLevels: Record<Access, string> = {
  public: "anybody",
  "booking-key":
    "any caller with access to the booking: its cookie, its owner's or an admin's session, or a link from an email",
  "signed-in": "every signed-in user, for rows that the user may see",
  promoter: "promoters, for their own rows",
  artist: "artists, for their own rows",
  admin: "admins, with their second factor outside demo mode",
};

export const errorStatuses = {
  400: "A value is missing, wrong or unknown. `data.fields` names each.",
  401: "The call needs a sign-in, or its access token is not valid any more. Refresh it or sign in again.",
  403: "The account may not call this, or it must authenticate again first.",
  404: "There is no such row, or the caller may not see it.",
  409: "The current state does not allow this. `data` has the state if it changed.",
  410: "The link or payment page has ended.",
  413: "The body is larger than 100 kB.",
  415: "The body is not `application/json`, or it is compressed.",
  422: "The emailed code is wrong or has ended.",
  429: "Too many calls. Wait for the seconds in `Retry-After`.",
  500: "An error of the platform. Its log has the `requestId`.",
  503: "The database, the payment provider or another service does not answer. Try again, after `Retry-After` if it is given.",
} as const;
export type ErrorStatus = keyof typeof errorStatuses;

export const errorCodes = {
  invalid: "400, correct the value",
  unauthenticated: "401, sign in",
  session_missing: "401, the call has no access token",
  bad_jwt: "401, the access token is not valid or has expired: refresh it",
  session_not_found: "401, the session has ended: sign in",
  user_not_found: "403, the account was deleted",
  user_banned: "401, the account is suspended",
  insufficient_aal: "401, the session lacks the account's second factor",
  forbidden: "403, for another role or a confirmed address only",
  second_factor_required: "403, an admin needs a second factor",
  reauthentication_needed: "403, call `POST /me/reauthenticate` first",
  reauthentication_not_valid: "403, the password is wrong; 422, the code is",
  operator_token_invalid: "403, the operator's token is wrong",
  not_a_party: "403, only the parties of a booking review it",
  PGRST116: "404, no such row, or another user's",
  not_found: "404, no such address",
  method_not_allowed: "405, `Allow` lists the methods",
  conflict: "409, read the state again",
  claim_needed: "409, the artist's name must be claimed",
  link_ended: "409, the link was used or has ended",
  gone: "410, the link or payment page has ended",
  too_large: "413",
  unsupported: "415",
  too_many: "429, wait",
  over_request_rate_limit: "429, wait before another sign-in",
  internal: "500",
  not_implemented: "501",
  unavailable: "503, try again",
  connect_webhook_secret_missing: "503, a setting of the operator is missing",
  no_secret: "503, a setting of the operator is missing",
  hosted_unreachable: "503, the sign-in service does not answer",
  no_service: "503, no signing service is set up",
} as const satisfies Record<ProblemCode, string> & Record<string, string>;

export const description = `Find artists, request a date, pay and sign.

- **Sign in.** \`POST /auth/v1/token?grant_type=password\` with \`{"email", "password"}\` returns \`access_token\`, \`expires_in\` and \`refresh_token\`. Send
\`Authorization: Bearer <access_token>\`. Before it expires, \`POST /auth/v1/token?grant_type=refresh_token\` with \`{"refresh_token"}\` returns new ones; each refresh
token is valid once. Accounts follow the GoTrue protocol: errors under \`/auth/v1\` are \`{"code", "error_code", "message", "msg"}\`. An expired token is refused
by public calls too.

- **Guests.** \`POST /bookings\` without a sign-in sets cookies. Send them with the later calls about that booking.

- **Values.** Amounts are integer cents in the \`currency\` beside or above them. Days are YYYY-MM-DD. Times are RFC 3339 in UTC; a show also has its local day, time and time
zone. Unknown fields are refused in requests; responses can get new ones.

- **Errors** have a \`code\` that does not change (the schema \`Error\` lists them), a message for the user and the request id.

- **Lists** with \`nextCursor\` continue with \`cursor\`, until it is null. A cursor belongs to its list and order.

- **Repeated calls.** A request with the same \`formKey\` returns the existing booking; without one it makes another. A checkout that is open is returned again.
A call that repeats a step answers with the booking as it is, or 409. Amounts such as \`expected_refund_cents\` must be the current ones.

- **From servers only.** The API sends no CORS headers. HEAD and OPTIONS are refused (405).

- **Files**, with the same token: \`GET /api/{admin|artist|promoter}/documents.csv\`, \`/api/{admin|artist|promoter}/bookings.csv\`, \`/api/{admin|promoter}/payments.csv\`,
\`/api/artist/payouts.csv?year=\`, and \`/api/admin/{ledger|logs|users|artists|contracts|contract-templates|holds}.csv\` with the filters of their lists (documents
and ledger: \`from\`, \`to\`); \`GET /api/contracts/{id}/document\` (PDF). \`POST /api/artist/media/{photo|video}\` and \`/api/artist/samples\` take uploads.`;
