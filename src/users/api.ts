/** The accounts under /api. Signing in itself follows the GoTrue protocol under /auth/v1. */
import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { accountApi } from "./account/api.ts";
import { accountChangesApi } from "./account-changes/api.ts";
import { profileClaimsApi } from "./profile-claims/api.ts";
import { directoryApi } from "./directory/api.ts";
export { userFilters } from "./directory/api.ts";
import { roles } from "./rules.ts";

const endpoint = endpointsOf("Accounts");

export const meShape = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  phone: z.string().nullable(),
  role: z.enum(roles),
  assuranceLevel: z.enum(["aal1", "aal2"]),
  /** A password may prove the person. A hosted service does not say whether there is one: then true. */
  hasPassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  /** An admin without a second factor outside demo mode is asked to set one up. */
  shouldSetUpSecondFactor: z.boolean(),
  /** The person has asked to become an admin, and no admin has decided yet. */
  adminRequestPending: z.boolean(),
  /** A hosted service keeps passwords and second factors (GOTRUE_URL): codes prove nothing here, and the sign-in survives deletion. */
  hosted: z.boolean(),
  /** The operator has made a token for the first admin that is not used yet: a person who has it may enter it. */
  firstAdminTokenWaits: z.boolean(),
  createdAt: z.date(),
});
export type Me = z.infer<typeof meShape>;

export const usersApi = {
  me: endpoint("signed-in", "GET /me", "readMe").route({ summary: "The signed-in person" }).output(meShape),
  account: accountApi,
  people: directoryApi,
  claims: profileClaimsApi,
  accountChanges: accountChangesApi,
};
