/** The handlers of the settings module. */
import { implement } from "@orpc/server";
import type { Context } from "#platform/http/context.ts";
import { publicSettings, settingsApi } from "./api.ts";
import { platformSettings } from "./settings.ts";

const on = implement(settingsApi).$context<Context>();

export const settingsRoutes = on.router({
  publicSettings: on.publicSettings.handler(async ({ context }) => {
    const { demo, seed } = context.services.config;
    return publicSettings.parse({
      ...(await platformSettings(context.db)),
      demo,
      demoAccounts: demo && seed === "demo",
    });
  }),
});
