import { implement } from "@orpc/server";
import { changeNightEnd } from "#calendar/holds/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { notFound, invalid } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { broadcastChange } from "#realtime/index.ts";
import { platformSettings, readArtistSettings, saveArtistSettings } from "#settings/index.ts";
import { allowedPolicies } from "#settings/policy-names.rules.ts";
import { setPublic } from "../store.ts";
import { findArtistOf } from "../views.ts";
import { artistSettingsApi } from "./settings.api.ts";

const on = implement(artistSettingsApi).$context<Context>();

async function requireOwnArtist(reader: Reader, userId: string) {
  const artist = await findArtistOf(reader, userId);
  if (!artist) throw notFound("Your account does not own an artist profile yet.");
  const { id, slug, name, location, time_zone } = artist;
  const platform = await platformSettings(reader);
  const policies = { policies: allowedPolicies(platform), policy_default: platform.policyName };
  return { id, shown: { slug, name, location, time_zone, ...policies } };
}

export const artistSettingsRoutes = on.router({
  read: on.read.handler(async ({ context }) => {
    const { id, shown } = await requireOwnArtist(context.db, requireActor(context).userId);
    return { ...(await readArtistSettings(context.db, id)), artist: shown };
  }),
  save: on.save.handler(({ input, context }) => {
    const { userId } = requireActor(context);
    return context.transaction(async (tx) => {
      const { id, shown } = await requireOwnArtist(tx, userId);
      const chosen = input.values.policyName;
      if (chosen && !shown.policies.includes(chosen))
        throw invalid("The platform does not allow this cancellation policy. Choose another one.");
      const { nightEndsAt } = input.values;
      const now = context.services.clock.now();
      const write = () => saveArtistSettings(tx, id, { ...input, by: userId, at: now });
      const saved =
        nightEndsAt === undefined ? await write() : await changeNightEnd(tx, id, { nightEndsAt, now }, write);
      await setPublic(tx, id, saved.values.publicProfile);
      await broadcastChange(tx, "settings", { userIds: [userId] });
      return { ...saved, artist: shown };
    });
  }),
});
