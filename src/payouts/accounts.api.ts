import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";
import { onboardingStates } from "./accounts.rules.ts";

export const accountsApi = {
  open: endpoint("artist")
    .route({
      method: "POST",
      path: "/artist/payment-account",
      operationId: "openPaymentAccount",
      tags: ["payments"],
      summary: "The address at the payment provider where the artist sets the payment account up, or manages it",
    })
    .input(z.strictObject({}))
    .output(z.object({ url: z.url() })),
  refresh: endpoint("artist")
    .route({
      method: "POST",
      path: "/artist/payment-account/refresh",
      operationId: "refreshPaymentAccount",
      tags: ["payments"],
      summary: "Ask the payment provider how the artist's account stands, on coming back from its pages",
    })
    .input(z.strictObject({}))
    .output(z.object({ onboarding_status: z.enum(onboardingStates) })),
};
