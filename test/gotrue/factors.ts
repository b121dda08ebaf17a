import { Secret, TOTP } from "otpauth";
import { type Call, type Endpoint, type Factor, type Place, GoTrueError, textOf } from "./protocol.ts";
import type { Session, Sessions } from "./sessions.ts";

const totpOf = (factor: Factor) => new TOTP({ secret: Secret.fromBase32(factor.secret), digits: 6, period: 30 });

export function makeFactors({ place, sessions }: { place: Place; sessions: Sessions }) {
  const challenges = new Map<string, { factor: Factor; expiresAt: number }>();

  const own = async (call: Call): Promise<{ session: Session; factor: Factor }> => {
    const session = await sessions.need(call);
    const factor = session.person.factors.find((one) => one.id === call.factorId);
    if (!factor) throw new GoTrueError(404, "mfa_factor_not_found", "Factor not found");
    return { session, factor };
  };

  const enrol: Endpoint = async (call) => {
    const { person, aal } = await sessions.need(call);
    if (call.body["factor_type"] !== "totp")
      throw new GoTrueError(400, "validation_failed", "factor_type needs to be totp, phone, or webauthn");
    if (person.factors.some((one) => one.status === "verified") && aal !== "aal2")
      throw new GoTrueError(403, "insufficient_aal", "AAL2 required to enroll a new factor");
    const name = textOf(call.body["friendly_name"]);
    const factor: Factor = {
      id: crypto.randomUUID(),
      name,
      secret: new Secret({ size: 20 }).base32,
      status: "unverified",
      at: place.now().toISOString(),
    };
    person.factors.push(factor);
    const uri = totpOf(factor).toString();
    return {
      id: factor.id,
      type: "totp",
      friendly_name: name,
      totp: { qr_code: "<svg/>", secret: factor.secret, uri },
    };
  };

  const challenge: Endpoint = async (call) => {
    const { factor } = await own(call);
    const id = crypto.randomUUID();
    const expiresAt = sessions.seconds() + 300;
    challenges.set(id, { factor, expiresAt });
    return { id, type: "totp", expires_at: expiresAt };
  };

  const verify: Endpoint = async (call) => {
    const { session, factor } = await own(call);
    const challenge = challenges.get(textOf(call.body["challenge_id"]));
    if (!challenge || challenge.factor !== factor)
      throw new GoTrueError(422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found");
    if (challenge.expiresAt <= sessions.seconds())
      throw new GoTrueError(422, "mfa_challenge_expired", "MFA challenge has expired");
    const timestamp = place.now().getTime();
    if (totpOf(factor).validate({ token: textOf(call.body["code"]), timestamp, window: 1 }) === null)
      throw new GoTrueError(422, "mfa_verification_failed", "Invalid TOTP code entered");
    challenges.delete(textOf(call.body["challenge_id"]));
    factor.status = "verified";
    return sessions.strengthen(session);
  };

  const remove: Endpoint = async (call) => {
    const { session, factor } = await own(call);
    if (factor.status === "verified" && session.aal !== "aal2")
      throw new GoTrueError(422, "insufficient_aal", "AAL2 required to unenroll verified factor");
    session.person.factors.splice(session.person.factors.indexOf(factor), 1);
    return { id: factor.id };
  };

  return {
    endpoints: {
      "POST /factors": enrol,
      "POST /factors/{id}/challenge": challenge,
      "POST /factors/{id}/verify": verify,
      "DELETE /factors/{id}": remove,
    } satisfies Record<string, Endpoint>,
  };
}
