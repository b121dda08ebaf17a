/** The door of the accounts room. */
export { findActor } from "./actor.ts";
export { usersApi } from "./api.ts";
export { makeAdmin } from "./console.ts";
export { authPlugin } from "./gotrue/plugin.ts";
export { usersJobs } from "./jobs.ts";
export { liveRoutes, type LiveServices } from "./live/routes.ts";
export { makeStreams } from "./live/streams.ts";
export { makeUser, type MadeUser } from "./make.ts";
export { hashPassword } from "./passwords.ts";
export { resealAccounts } from "./reseal.ts";
export { usersRoutes } from "./routes.ts";
export type { AccessChanged, ClaimGranted, EmailVerified, Role } from "./rules.ts";
export { makeFirstAdminToken } from "./people/people.ts";
export { tellAdminsOfWish } from "./people/wish.ts";
export { rotateSigningKeys } from "./tokens/signing-keys.ts";
