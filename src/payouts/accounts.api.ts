import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { onboardingStates } from "./accounts.rules.ts";

const endpoint = endpointsOf("payments");

export const accountsApi = {
  open: endpoint("artist", "POST /artist/payment-account", "openPaymentAccount")
    .route({
      summary: "The address at the payment provider where the artist sets the payment account up, or manages it",
    })
    .input(z.strictObject({}))
    .output(z.object({ url: z.url() })),
  refresh: endpoint("artist", "POST /artist/payment-account/refresh", "refreshPaymentAccount")
    .route({ summary: "Ask the payment provider how the artist's account stands, on coming back from its pages" })
    .input(z.strictObject({}))
    .output(z.object({ onboarding_status: z.enum(onboardingStates) })),
};
