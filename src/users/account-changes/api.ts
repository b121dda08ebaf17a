import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { changeKinds } from "../rules.ts";

const endpoint = endpointsOf("accounts");

export const accountChangesApi = {
  undo: endpoint("public", "POST /account-changes/undo", "undoAccountChange")
    .route({
      summary:
        "Undo a change of password, email, phone or second factor with the link of its notification (7 days, once)",
    })
    .input(z.strictObject({ token: z.string().min(1).max(200) }))
    .output(z.object({ undone: z.array(z.enum(changeKinds)), needsAdmin: z.boolean() })),
};
