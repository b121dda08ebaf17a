import { randomBytes } from "node:crypto";
import type { Keyring } from "./keyring.ts";
import { type Call, type Endpoint, type Person, type Place, GoTrueError, textOf } from "./protocol.ts";

export type Session = { id: string; person: Person; aal: "aal1" | "aal2"; amr: Map<string, number>; createdAt: number };
type Refresh = { session: Session; parent: string | null; revokedAt: number | null };
export type Sessions = ReturnType<typeof makeSessions>;

const accessSeconds = 3_600;
/** Seconds in which the parent of the newest token still returns the newest token. */
const reuseSeconds = 10;

export function makeSessions({ place, keyring }: { place: Place; keyring: Keyring }) {
  const living = new Map<string, Session>();
  const tokens = new Map<string, Refresh>();
  const seconds = () => Math.floor(place.now().getTime() / 1000);

  const giveToken = (session: Session, parent: string | null): string => {
    const token = randomBytes(9).toString("base64url");
    tokens.set(token, { session, parent, revokedAt: null });
    return token;
  };

  const present = async (session: Session, refreshToken: string) => {
    const issuedAt = seconds();
    const claims = {
      iss: `${place.origin}/auth/v1`,
      sub: session.person.id,
      aud: "authenticated",
      exp: issuedAt + accessSeconds,
      iat: issuedAt,
      email: session.person.email,
      phone: session.person.phone,
      app_metadata: { provider: "email", providers: ["email"] },
      user_metadata: session.person.metadata,
      role: "authenticated",
      aal: session.aal,
      amr: [...session.amr].map(([method, timestamp]) => ({ method, timestamp })),
      session_id: session.id,
      is_anonymous: false,
    };
    return {
      access_token: await keyring.sign(claims),
      token_type: "bearer",
      expires_in: accessSeconds,
      expires_at: issuedAt + accessSeconds,
      refresh_token: refreshToken,
      user: presentPerson(session.person),
      weak_password: null,
    };
  };

  const open = (person: Person, method: string) => {
    const session: Session = {
      id: crypto.randomUUID(),
      person,
      aal: "aal1",
      amr: new Map([[method, seconds()]]),
      createdAt: seconds(),
    };
    living.set(session.id, session);
    person.lastSignInAt = place.now().toISOString();
    return present(session, giveToken(session, null));
  };

  const end = (which: (session: Session) => boolean) => {
    for (const session of living.values()) if (which(session)) living.delete(session.id);
    for (const [token, { session }] of tokens) if (which(session)) tokens.delete(token);
  };

  const need = async (call: Call): Promise<Session> => {
    if (!call.bearer) throw new GoTrueError(401, "no_authorization", "This endpoint requires a Bearer token");
    const claims = await keyring.verify(call.bearer, place.now()).catch((error: unknown) => {
      throw new GoTrueError(403, "bad_jwt", `invalid JWT: unable to parse or verify signature, ${String(error)}`);
    });
    const session = living.get(String(claims["session_id"]));
    if (!session)
      throw new GoTrueError(403, "session_not_found", "Session from session_id claim in JWT does not exist");
    return session;
  };

  const renew = async (call: Call) => {
    const presented = textOf(call.body["refresh_token"]);
    const found = tokens.get(presented);
    if (!found) throw new GoTrueError(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
    if (found.revokedAt === null) {
      found.revokedAt = seconds();
      return present(found.session, giveToken(found.session, presented));
    }
    const child = [...tokens].find(([, one]) => one.parent === presented && one.revokedAt === null);
    if (child && seconds() - found.revokedAt <= reuseSeconds) return present(found.session, child[0]);
    end((session) => session.id === found.session.id);
    throw new GoTrueError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");
  };

  const logOut: Endpoint = async (call) => {
    const scope = call.query["scope"] ?? "global";
    const own = await need(call);
    if (scope === "local") end((one) => one.id === own.id);
    else if (scope === "others") end((one) => one.person === own.person && one.id !== own.id);
    else if (scope === "global") end((one) => one.person === own.person);
    else throw new GoTrueError(400, "validation_failed", `Unsupported logout scope "${scope}"`);
    return undefined;
  };

  return {
    endpoints: { "POST /logout": logOut } satisfies Record<string, Endpoint>,
    open,
    end,
    need,
    renew,
    seconds,
    /** Raises the session to aal2 with a new token. The user's weaker sessions end. */
    strengthen: (session: Session) => {
      session.aal = "aal2";
      session.amr.set("totp", seconds());
      end((one) => one.person === session.person && one.aal === "aal1");
      return present(session, giveToken(session, null));
    },
    count: (email: string) => [...living.values()].filter((one) => one.person.email === email).length,
  };
}

export function presentPerson(person: Person) {
  const identity = {
    identity_id: person.id,
    id: person.id,
    user_id: person.id,
    identity_data: { email: person.email, email_verified: person.confirmedAt !== null, sub: person.id },
    provider: "email",
    last_sign_in_at: person.lastSignInAt ?? person.createdAt,
    created_at: person.createdAt,
    updated_at: person.createdAt,
    email: person.email,
  };
  return {
    id: person.id,
    aud: "authenticated",
    role: "authenticated",
    email: person.email,
    ...(person.confirmedAt ? { email_confirmed_at: person.confirmedAt, confirmed_at: person.confirmedAt } : {}),
    phone: person.phone,
    ...(person.newEmail ? { new_email: person.newEmail } : {}),
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: person.metadata,
    identities: [identity],
    factors: person.factors.map(({ id, name, status, at }) => ({
      id,
      friendly_name: name,
      factor_type: "totp",
      status,
      created_at: at,
      updated_at: at,
    })),
    created_at: person.createdAt,
    updated_at: person.createdAt,
    is_anonymous: false,
  };
}
