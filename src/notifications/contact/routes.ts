import { implement } from "@orpc/server";
import { limitBlock } from "#platform/http/client-address.ts";
import type { Context } from "#platform/http/context.ts";
import { notificationsApi } from "../api.ts";
import { emailTemplatesRoutes } from "../custom.routes.ts";
import { receiveContact } from "./contact.ts";

const on = implement(notificationsApi).$context<Context>();

const hour = 3600;
const perHour = { demo: 50, production: 6 };

export const notificationsRoutes = on.router({
  emailTemplates: emailTemplatesRoutes,
  contact: on.contact.handler(async ({ input, context }) => {
    const { limits, config } = context.services;
    const max = config.demo ? perHour.demo : perHour.production;
    await limits.hit(`contact address ${limitBlock(context.request)}`, max, hour);
    await limits.hit(`contact email ${input.email}`, max, hour);
    await context.transaction((tx) => receiveContact(tx, input));
    return { received: true };
  }),
});
