import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { listSearch, numberedPageOf, oneOf, pageNumber } from "#platform/http/list.api.ts";
import { prose } from "#platform/security/text.api.ts";
import { reauthentication } from "../account/api.ts";
import { roles, userSorts } from "../rules.ts";

const endpoint = endpointsOf("users");

const userId = z.uuid();

const personShape = z.object({
  userId,
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  emailVerified: z.boolean(),
  hasSecondFactor: z.boolean(),
  suspended: z.boolean(),
  suspendedReason: z.string().nullable(),
  createdAt: z.date(),
  lastSeenAt: z.date().nullable().describe("When a session was last refreshed; null without a session"),
});
export type Person = z.infer<typeof personShape>;

const reason = prose(500).min(3, "Enter a reason.");

export const userFilters = {
  search: listSearch.describe("Part of the name or email"),
  role: oneOf(roles),
  show: oneOf(["suspended"]).describe("`suspended`: accounts that cannot sign in"),
};

export const directoryApi = {
  list: endpoint("admin", "GET /admin/users", "listUsers")
    .route({ summary: "Users, newest first unless ordered otherwise" })
    .input(
      z.strictObject({
        ...userFilters,
        sort: oneOf(userSorts).describe("A column, ascending or with - descending"),
        page: pageNumber,
      }),
    )
    .output(numberedPageOf(personShape)),
  changeRole: endpoint("admin", "POST /admin/users/{userId}/role", "changeUserRole")
    .route({ summary: "Change a user's role, effective immediately" })
    .input(
      z.strictObject({
        userId,
        role: z.enum(roles),
        from: z.enum(roles).optional().describe("The role that the caller saw; 409 if it is another one now"),
        ...reauthentication,
      }),
    )
    .output(personShape),
  suspend: endpoint("admin", "POST /admin/users/{userId}/suspend", "suspendUser")
    .route({ summary: "Suspend a user and end all their sessions" })
    .input(z.strictObject({ userId, reason }))
    .output(personShape),
  restore: endpoint("admin", "POST /admin/users/{userId}/restore", "restoreUser")
    .route({ summary: "End the suspension of a user" })
    .input(z.strictObject({ userId }))
    .output(personShape),
  endSessions: endpoint("admin", "POST /admin/users/{userId}/end-sessions", "endUserSessions")
    .route({ summary: "Sign out a user on all devices, without suspending them" })
    .input(z.strictObject({ userId, reason }))
    .output(personShape),
  resetSecondFactor: endpoint("admin", "POST /admin/users/{userId}/reset-second-factor", "resetSecondFactor")
    .route({ summary: "Remove the second factor of a user who has lost it and the recovery codes" })
    .input(z.strictObject({ userId, reason, ...reauthentication }))
    .output(personShape),
  adminRequests: endpoint("admin", "GET /admin/admin-requests", "listAdminRequests")
    .route({ summary: "Open requests to become an admin, oldest first, at most 100" })
    .output(
      z.object({
        items: z.array(
          z.object({ userId, name: z.string(), email: z.string(), emailVerified: z.boolean(), createdAt: z.date() }),
        ),
        total: z.int(),
      }),
    ),
  decideAdminRequest: endpoint("admin", "POST /admin/admin-requests/{userId}", "decideAdminRequest")
    .route({ summary: "Grant or refuse a request to become an admin" })
    .input(z.strictObject({ userId, granted: z.boolean(), ...reauthentication }))
    .output(personShape),
  becomeFirstAdmin: endpoint("signed-in", "POST /me/first-admin", "becomeFirstAdmin")
    .route({ summary: "Become the first admin with the one-time token of the operator CLI" })
    .input(z.strictObject({ token: z.string().max(100) }))
    .output(personShape),
};
