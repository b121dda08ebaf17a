/** Makes people for the demo market and for tests. */
import type { Tx } from "#platform/db/index.ts";
import { hashPassword } from "../../src/users/providers/local/passwords.ts";
import { type Role, normalizePhone } from "../../src/users/rules.ts";
import { insertAccount } from "../../src/users/store.ts";

export type MadeUser = { id: string; email: string; name: string; role: Role };
type Wish = {
  id?: string;
  email?: string;
  name?: string;
  role?: Role;
  /** Hashed once per password and process, because many people of a test share one. */
  password?: string;
  /** From hashPassword, for whoever makes many people in one transaction. Without either nobody can sign in by password. */
  passwordHash?: string;
  phone?: string;
  /** False: the mailbox is not proven yet. */
  confirmed?: boolean;
  createdAt?: Date;
};

let count = 0;
const hashes = new Map<string, Promise<string>>();

function hashOnce(password: string): Promise<string> {
  const known = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, known);
  return known;
}

/** Inserts a person with a proven mailbox, as promoter unless told otherwise. */
export async function makeUser(tx: Tx, wish: Wish = {}): Promise<MadeUser> {
  count += 1;
  const role = wish.role ?? "promoter";
  const name = wish.name ?? `Person ${count}`;
  const email = wish.email ?? `person-${count}-${crypto.randomUUID().slice(0, 8)}@people.test`;
  const id = await insertAccount(tx, {
    ...(wish.id ? { id: wish.id } : {}),
    email,
    name,
    role,
    phone: normalizePhone(wish.phone) ?? null,
    passwordHash: wish.passwordHash ?? (wish.password === undefined ? null : await hashOnce(wish.password)),
    confirmed: wish.confirmed !== false,
    createdAt: wish.createdAt,
  });
  return { id, email, name, role };
}
