import { enqueueMessage } from "#notifications/index.ts";
import type { Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { broadcastChange } from "#realtime/index.ts";
import type { CurrencyChanged } from "#settings/rules.ts";
import { ownersOfFormerPrices } from "../views.ts";

export async function requestPriceConfirmation(
  tx: Tx,
  { config }: Pick<PlatformServices, "config">,
  { from, to }: CurrencyChanged,
): Promise<void> {
  const artists = await ownersOfFormerPrices(tx, to);
  const currencies = { from: from.toUpperCase(), to: to.toUpperCase() };
  const link = `${config.publicUrl}${paths.artistArea.profile}`;
  for (const { name: artistName, email } of artists)
    if (email)
      await enqueueMessage(tx, {
        template: "price_to_confirm",
        channel: "email",
        to: email,
        params: { artistName, ...currencies, link },
      });
  await broadcastChange(tx, "artists", { userIds: artists.map((artist) => artist.user_id), admins: true });
}
