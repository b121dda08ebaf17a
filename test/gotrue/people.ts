import { createHash, randomInt } from "node:crypto";
import { type Call, type Endpoint, type Person, type Place, GoTrueError, textOf } from "./protocol.ts";
import { type Sessions, presentPerson } from "./sessions.ts";

type Kind = "signup" | "magiclink" | "recovery" | "email_change" | "reauthentication" | "sms" | "phone_change";
type Mail = { to: string; kind: Kind; person: Person; code: string; tokenHash: string; sentAt: number };

const daySeconds = 86_400;
const linkSeconds = 3_600;
/** The emails that satisfy each verification type. */
const kindsOf: Record<string, readonly Kind[]> = {
  signup: ["signup"],
  invite: [],
  email: ["signup", "magiclink"],
  magiclink: ["magiclink"],
  recovery: ["recovery"],
  email_change: ["email_change"],
  sms: ["sms"],
  phone_change: ["phone_change"],
};
const invalidLink = () => new GoTrueError(403, "otp_expired", "Email link is invalid or has expired");

export function makePeople({ place, sessions }: { place: Place; sessions: Sessions }) {
  const people: Person[] = [];
  let mails: Mail[] = [];
  const byEmail = (email: string) => people.find((one) => one.email === email && email !== "");

  const send = (person: Person, kind: Kind, to: string): Record<string, never> => {
    const code = String(randomInt(0, 1_000_000)).padStart(6, "0");
    const tokenHash = createHash("sha224").update(`${to}${code}`).digest("hex");
    mails = mails.filter((mail) => mail.person !== person || mail.kind !== kind || mail.to !== to);
    mails.push({ to, kind, person, code, tokenHash, sentAt: sessions.seconds() });
    return {};
  };

  const add = (given: Partial<Person>): Person => {
    const person: Person = {
      id: crypto.randomUUID(),
      email: "",
      phone: "",
      password: null,
      confirmedAt: null,
      phoneConfirmedAt: null,
      newEmail: "",
      newPhone: "",
      agreed: new Set(),
      metadata: {},
      factors: [],
      createdAt: place.now().toISOString(),
      lastSignInAt: null,
      ...given,
    };
    people.push(person);
    return person;
  };

  const checkPassword = (password: string) => {
    if (password.length >= 6) return;
    const message = "Password should be at least 6 characters.";
    throw new GoTrueError(422, "weak_password", message, { weak_password: { reasons: ["length"], message } });
  };

  const emailOf = (value: unknown): string => {
    const email = textOf(value).toLowerCase();
    if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return email;
    throw new GoTrueError(400, "validation_failed", "Unable to validate email address: invalid format");
  };

  const signUp: Endpoint = ({ body }) => {
    if (!body["email"]) throw new GoTrueError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled");
    const email = emailOf(body["email"]);
    const password = textOf(body["password"]);
    checkPassword(password);
    const known = byEmail(email);
    const metadata = (body["data"] ?? {}) as Record<string, unknown>;
    if (known?.confirmedAt)
      return { ...presentPerson({ ...known, id: crypto.randomUUID(), metadata }), identities: [] };
    const person = known ?? add({ email, password, metadata });
    if (place.autoconfirm) {
      person.confirmedAt = place.now().toISOString();
      return sessions.open(person, "password");
    }
    send(person, "signup", email);
    return { ...presentPerson(person), confirmation_sent_at: place.now().toISOString() };
  };

  const token: Endpoint = (call) => {
    if (call.query["grant_type"] === "refresh_token") return sessions.renew(call);
    if (call.query["grant_type"] !== "password")
      throw new GoTrueError(400, "validation_failed", "unsupported_grant_type");
    const { email, phone, password } = call.body;
    if (email && phone)
      throw new GoTrueError(400, "validation_failed", "Only an email address or phone number should be provided");
    const person = email ? byEmail(textOf(email).toLowerCase()) : people.find((one) => one.phone === textOf(phone));
    if (!person || person.password === null || person.password !== password)
      throw new GoTrueError(400, "invalid_credentials", "Invalid login credentials");
    if (!person.confirmedAt) throw new GoTrueError(400, "email_not_confirmed", "Email not confirmed");
    return sessions.open(person, "password");
  };

  const mailTo =
    (kind: Kind, makesPeople = false): Endpoint =>
    ({ body }) => {
      const email = emailOf(body["email"]);
      const person = byEmail(email);
      if (person) return send(person, kind, email);
      if (!makesPeople) return {};
      if (body["create_user"] === false) throw new GoTrueError(422, "otp_disabled", "Signups not allowed for otp");
      return send(add({ email, metadata: (body["data"] ?? {}) as Record<string, unknown> }), "signup", email);
    };

  const resend: Endpoint = ({ body }) => {
    const kind = textOf(body["type"]) as Kind;
    if (!["signup", "email_change", "sms", "phone_change"].includes(kind))
      throw new GoTrueError(
        400,
        "validation_failed",
        "Missing one of these types: signup, email_change, sms, phone_change",
      );
    const to = textOf(body["email"] ?? body["phone"]);
    const waiting = mails.find((mail) => mail.to === to && mail.kind === kind);
    return waiting ? send(waiting.person, kind, to) : {};
  };

  /** Removes and returns an email by its link's hash, or by address and code. */
  const take = (type: string, is: (mail: Mail) => boolean): Mail => {
    const kinds = kindsOf[type];
    if (!kinds) throw new GoTrueError(400, "validation_failed", "Verify requires a verification type");
    const mail = mails.find((one) => kinds.includes(one.kind) && is(one));
    if (!mail || sessions.seconds() - mail.sentAt > linkSeconds) throw invalidLink();
    mails = mails.filter((one) => one !== mail);
    return mail;
  };

  const accept = (mail: Mail) => {
    const { person, kind } = mail;
    if (kind === "email_change") {
      person.agreed.add(mail.to);
      if (!person.agreed.has(person.email) || !person.agreed.has(person.newEmail))
        return {
          code: "200",
          msg: "Confirmation link accepted. Please proceed to confirm link sent to the other email",
        };
      Object.assign(person, { email: person.newEmail, newEmail: "", agreed: new Set<string>() });
    }
    person.confirmedAt ??= place.now().toISOString();
    return sessions.open(person, "otp");
  };

  const verify: Endpoint = ({ body }) => {
    const type = textOf(body["type"]);
    if (body["token_hash"]) return accept(take(type, (mail) => mail.tokenHash === body["token_hash"]));
    const to = textOf(body["email"] ?? body["phone"]).toLowerCase();
    return accept(take(type, (mail) => mail.to === to && mail.code === body["token"]));
  };

  /** The link of the service's emails. Opening it consumes it and returns the session in the fragment. */
  const followLink: Endpoint = async ({ query }) => {
    const back = query["redirect_to"] ?? "http://localhost:3000";
    try {
      const session = await accept(take(query["type"] ?? "", (mail) => mail.tokenHash === query["token"]));
      const fragment = new URLSearchParams({
        ...(session as unknown as Record<string, string>),
        type: query["type"] ?? "",
      });
      return { location: `${back}#${fragment}` };
    } catch (error) {
      if (!(error instanceof GoTrueError)) throw error;
      return { location: `${back}#error=access_denied&error_code=otp_expired` };
    }
  };

  const reauthenticate: Endpoint = async (call) => {
    const { person } = await sessions.need(call);
    return send(person, "reauthentication", person.email);
  };

  const update: Endpoint = async (call) => {
    const session = await sessions.need(call);
    const { person } = session;
    const { data, password, nonce, email, phone } = call.body;
    if (typeof password === "string") {
      checkPassword(password);
      const code = mails.find((one) => one.person === person && one.kind === "reauthentication");
      // Like the service, ignores the nonce within a day after the sign-in.
      if (sessions.seconds() - session.createdAt > daySeconds) {
        if (!nonce) throw new GoTrueError(400, "reauthentication_needed", "Password update requires reauthentication");
        if (code?.code !== nonce)
          throw new GoTrueError(422, "reauthentication_not_valid", "Verify requires a valid nonce");
      }
      if (person.password === password)
        throw new GoTrueError(422, "same_password", "New password should be different from the old password.");
      person.password = password;
      sessions.end((one) => one.person === person && one.id !== session.id);
    }
    if (email && email !== person.email) {
      person.newEmail = emailOf(email);
      person.agreed = new Set();
      send(person, "email_change", person.newEmail);
      send(person, "email_change", person.email);
    }
    if (phone && phone !== person.phone) person.newPhone = textOf(phone);
    if (data && typeof data === "object") person.metadata = { ...person.metadata, ...data };
    return presentPerson(person);
  };

  const me: Endpoint = async (call: Call) => presentPerson((await sessions.need(call)).person);

  return {
    endpoints: {
      "POST /signup": signUp,
      "POST /token": token,
      "POST /otp": mailTo("magiclink", true),
      "POST /magiclink": mailTo("magiclink", true),
      "POST /recover": mailTo("recovery"),
      "POST /resend": resend,
      "POST /verify": verify,
      "GET /verify": followLink,
      "GET /reauthenticate": reauthenticate,
      "GET /user": me,
      "PUT /user": update,
    } satisfies Record<string, Endpoint>,
    all: () => people.map(presentPerson),
    confirmed: (given: Partial<Person> & { email: string; password: string }) =>
      add({ confirmedAt: place.now().toISOString(), ...given }),
    lastMail: (to: string) => {
      const mail = mails.findLast((one) => one.to === to);
      if (!mail) throw new Error(`the service sent nothing to ${to}`);
      return mail;
    },
  };
}
