import { admin } from "./admin.ts";
import { checkout } from "./checkout.ts";
import { dashboards } from "./dashboards.ts";
import { guest } from "./guest.ts";
import { money } from "./money.ts";
import type { Scene } from "./scene.ts";
import { settings } from "./settings.ts";
import { signing } from "./signing.ts";

/** Scenes by area: `npm run screenshots -- -g "scenes signing"`. */
export const areas: Readonly<Record<string, readonly Scene[]>> = {
  signing,
  guest,
  checkout,
  money,
  dashboards,
  admin,
  settings,
};
