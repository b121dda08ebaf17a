import type { Tx } from "#platform/db/index.ts";
import { quickAuthTiming } from "#test/quick-auth-timing.ts";
import { type Role, normalizePhone } from "#users/rules.ts";
import { insertAccount } from "#users/store.ts";

export type MadeUser = { id: string; email: string; name: string; role: Role };
export type MakeUser = {
  id?: string;
  email?: string;
  name?: string;
  role?: Role;
  /** Hashed once per password and process, because many accounts share one. Without it the account cannot sign in by password. */
  password?: string;
  phone?: string;
  /** False: the address is not verified. */
  confirmed?: boolean;
  createdAt?: Date;
};

let count = 0;
const hashes = new Map<string, Promise<string>>();

function hashOnce(password: string): Promise<string> {
  const known = hashes.get(password) ?? quickAuthTiming.hashPassword(password);
  hashes.set(password, known);
  return known;
}

/** Inserts an account with a verified address, by default as promoter. */
export async function makeUser(tx: Tx, given: MakeUser = {}): Promise<MadeUser> {
  count += 1;
  const role = given.role ?? "promoter";
  const name = given.name ?? `Person ${count}`;
  const email = given.email ?? `person-${count}-${crypto.randomUUID().slice(0, 8)}@people.test`;
  const id = await insertAccount(tx, {
    ...(given.id ? { id: given.id } : {}),
    email,
    name,
    role,
    phone: normalizePhone(given.phone) ?? null,
    passwordHash: given.password === undefined ? null : await hashOnce(given.password),
    confirmed: given.confirmed !== false,
    createdAt: given.createdAt,
  });
  return { id, email, name, role };
}
