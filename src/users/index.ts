/** The door of the accounts room. */
export { findActor, streamAuth } from "./sessions/authenticate.ts";
export { usersApi } from "./api.ts";
export { makeAdmin } from "./roles/operator.ts";
export { authPlugin } from "./gotrue/plugin.ts";
export { usersJobs } from "./jobs.ts";
export { makeUser, type MadeUser } from "./make.ts";
export { hashPassword } from "./providers/local/passwords.ts";
export { resealAccounts } from "./reencrypt.ts";
export { usersRoutes } from "./routes.ts";
export type { AccessChanged, ClaimGranted, EmailVerified, Role } from "./rules.ts";
export { makeFirstAdminToken } from "./directory/admin-commands.ts";
export { tellAdminsOfWish } from "./roles/admin-requests.ts";
export { rotateSigningKeys } from "./sessions/signing-keys.ts";
