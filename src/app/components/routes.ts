import { implement } from "@orpc/server";
import type { Payments } from "#gateway/gateway.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { componentsApi } from "./api.ts";
import { testComponent } from "./test-component.ts";
import { reportBackups, reportComponents } from "./views.ts";

const on = implement(componentsApi).$context<Context<Payments>>();

export const componentsRoutes = on.router({
  list: on.list.handler(async ({ context: { services } }) => ({
    items: await reportComponents(services),
    backup: await reportBackups(services),
  })),
  test: on.test.handler(async ({ input, context }) => {
    const { services } = context;
    const { email } = requireActor(context);
    const sends = input.name === "email" && (input.send_email ?? !services.config.smtpUrl);
    const { works, message, tookMs, testedAt } = await testComponent(
      services,
      input.name,
      sends ? { sendTo: email } : {},
    );
    const component = (await reportComponents(services, [input.name]))[0];
    if (!component) throw new Error(`there is no report on ${input.name}`);
    return { ok: works, message, took_ms: tookMs, at: testedAt, component };
  }),
});
