import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";
import { emailTemplatesApi } from "./custom/api.ts";
import { contactInput } from "./rules.ts";

export const notificationsApi = {
  emailTemplates: emailTemplatesApi,
  contact: endpoint("public")
    .route({
      method: "POST",
      path: "/contact",
      operationId: "sendContactMessage",
      tags: ["contact"],
      summary: "Write to the people who run this platform",
      successStatus: 201,
    })
    .input(contactInput)
    .output(z.object({ received: z.literal(true) })),
};
