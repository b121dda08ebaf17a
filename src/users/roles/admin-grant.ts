import { recordActivity } from "#activity/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { Problem, conflict } from "#platform/errors.ts";
import { announceAccessChange } from "../change-notifications.ts";
import { normalizeEmail } from "../rules.ts";
import { lockUserByEmail } from "../store.ts";
import { grantAdminRole, recordAdminRequestDecision } from "./roles.store.ts";

/** Makes the owner of this mailbox an admin, and returns the name. Throws for unknown and unverified addresses. */
export async function makeAdmin(tx: Tx, address: string, now: Date): Promise<string> {
  const email = normalizeEmail(address);
  const user = email ? await lockUserByEmail(tx, email) : undefined;
  if (!user) throw new Problem("not_found", `No user has signed up with ${address}.`);
  if (!user.email_confirmed_at) throw conflict(`${address} is not verified yet. Open the link in the email first.`);
  const name = await grantAdminRole(tx, user.id);
  if (name === undefined) throw conflict(`${address} has never signed in. Sign in once, then try again.`);
  await recordAdminRequestDecision(tx, { userId: user.id, granted: true, by: null, now });
  await announceAccessChange(tx, user.id, "role");
  await recordActivity(tx, { type: "system", refId: user.id, message: `The operator made ${name} an admin` });
  return name;
}
