/** The handlers of the settings module. */
import { implement } from "@orpc/server";
import { type Context, requireActor } from "#platform/http/context.ts";
import { broadcastChange } from "#realtime/index.ts";
import { publicSettings, settingsApi } from "./api.ts";
import { platformSettings, read, savePromoterSettings } from "./settings.ts";
import { bookingDefaultsOf } from "./booking-defaults.rules.ts";

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
  bookingDefaults: on.bookingDefaults.handler(async ({ context }) => {
    const { userId, role } = requireActor(context);
    if (role !== "promoter") return { clientName: null, clientPhone: null, duration: null };
    return bookingDefaultsOf((await read(context.db, "promoter", userId)).values);
  }),
  promoter: {
    read: on.promoter.read.handler(({ context }) => read(context.db, "promoter", requireActor(context).userId)),
    save: on.promoter.save.handler(({ input, context }) => {
      const { userId } = requireActor(context);
      return context.transaction(async (tx) => {
        const saved = await savePromoterSettings(tx, userId, { ...input, by: userId });
        await broadcastChange(tx, "settings", { userIds: [userId] });
        return saved;
      });
    }),
  },
});
