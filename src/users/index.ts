/** The public index of the accounts. */
export { authenticate, streamAuth } from "./authentication/authenticate.ts";
export type { AccountServices } from "./account/routes.ts";
export { usersDataLists } from "./data-export.ts";
export { makeAdmin } from "./roles/operator.ts";
export { authPlugin } from "./gotrue/plugin.ts";
export { usersJobs } from "./jobs.ts";
export { insertAccount } from "./store.ts";
export { hashPassword } from "./providers/local/passwords.ts";
export { reencryptAccounts } from "./reencrypt.store.ts";
export { usersRoutes } from "./routes.ts";
export type { AccessChanged, ProfileClaimGranted, EmailVerified, Role } from "./rules.ts";
export { makeFirstAdminToken } from "./directory/admin-commands.ts";
export { activeAdmins } from "./roles/active-admins.ts";
export { notifyAdminsOfRequest } from "./roles/admin-requests.ts";
export { promoterIdByEmail, verifiedMailbox, verifiedPhone } from "./mailboxes.ts";
export { listClaimableArtists } from "./profile-claims/views.ts";
export { rotateSigningKeys } from "./sessions/signing-keys.ts";
