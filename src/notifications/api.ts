import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { emailTemplatesApi } from "./custom/api.ts";
import { contactInput } from "./rules.ts";

const endpoint = endpointsOf("contact");

export const notificationsApi = {
  emailTemplates: emailTemplatesApi,
  contact: endpoint("public", "POST /contact", "sendContactMessage")
    .route({ summary: "Send a message to the operator of this platform", successStatus: 201 })
    .input(contactInput)
    .output(z.object({ received: z.literal(true) })),
};
