import { z } from "zod";
import { changeAccount } from "../../local-accounts/change-account.ts";
import { passwordLength } from "../../rules.ts";
import { type AuthCall, readBody, requireCaller, requireEmail, requirePhone, requireStrongCaller } from "../call.ts";
import { toUserResponse } from "../responses.ts";

export async function getUser(call: AuthCall) {
  const { userId } = await requireCaller(call);
  return toUserResponse(call.context.services.database.db, userId);
}

/** The names that PUT /user reads, in this spelling only. Others are dropped. */
export const userUpdateShape = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  nonce: z.string().max(20).nullish(),
  current_password: z.string().max(passwordLength.max).nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
});

/** PUT /user: `phone: ""` removes the number. `nonce` is the code of GET /reauthenticate. */
export async function putUser(call: AuthCall) {
  const caller = await requireStrongCaller(call);
  const body = readBody(call, userUpdateShape);
  await changeAccount(call.context, caller, {
    email: body.email ? requireEmail(body.email) : undefined,
    phone: body.phone ? requirePhone(body.phone) : body.phone === "" ? null : undefined,
    password: body.password ?? undefined,
    data: body.data ?? undefined,
    reauthentication: { password: body.current_password ?? undefined, code: body.nonce ?? undefined },
  });
  return toUserResponse(call.context.services.database.db, caller.userId);
}
