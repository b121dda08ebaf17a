import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { onboardingStates } from "../accounts.rules.ts";

const endpoint = endpointsOf("payments");

export const accountsApi = {
  // The address opens the account without another sign-in, and there the bank account can be changed.
  open: endpoint("artist", "POST /artist/payment-account", "openPaymentAccount", { recent: true })
    .route({ summary: "The address at the payment provider where the artist sets up or manages the payment account" })
    .input(z.strictObject({}))
    .output(z.object({ url: z.url() })),
  refresh: endpoint("artist", "POST /artist/payment-account/refresh", "refreshPaymentAccount")
    .route({
      summary: "Sync the status of the artist's account from the payment provider, after a return from its pages",
    })
    .input(z.strictObject({}))
    .output(z.object({ onboarding_status: z.enum(onboardingStates) })),
};
