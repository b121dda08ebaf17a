import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { accountChangesApi } from "./account-changes/api.ts";
import { accountApi } from "./account/api.ts";
import { directoryApi } from "./directory/api.ts";
import { profileClaimsApi } from "./profile-claims/api.ts";
export { userFilters } from "./directory/api.ts";
import { roles } from "./rules.ts";

const endpoint = endpointsOf("accounts");

const meShape = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  phone: z.string().nullable(),
  role: z.enum(roles),
  assuranceLevel: z.enum(["aal1", "aal2"]),
  /** True if the user can authenticate with a password. Always true with a hosted service, which does not report it. */
  hasPassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  shouldSetUpSecondFactor: z.boolean(),
  adminRequestPending: z.boolean(),
  /** True if a hosted service stores passwords and second factors (GOTRUE_URL). Then codes cannot be checked here, and the sign-in survives deletion. */
  hosted: z.boolean(),
  firstAdminTokenWaits: z.boolean(),
  createdAt: z.date(),
});
export type Me = z.infer<typeof meShape>;

export const usersApi = {
  me: endpoint("signed-in", "GET /me", "readMe").route({ summary: "The signed-in user" }).output(meShape),
  account: accountApi,
  directory: directoryApi,
  claims: profileClaimsApi,
  accountChanges: accountChangesApi,
};
