import type { ArtistSettings, PromoterSettings } from "#settings/rules.ts";
import { catalog, type Channels } from "./catalog.ts";
import type { TemplateFor } from "./render-email.ts";

export const artistWants = (
  settings: ArtistSettings,
  template: TemplateFor<"artist">,
  channel: keyof Channels<never>,
): boolean => wants(settings, catalog[template].to.artist, channel);

export const promoterWants = (
  settings: PromoterSettings,
  template: TemplateFor<"promoter">,
  channel: keyof Channels<never>,
): boolean => wants(settings, catalog[template].to.promoter, channel);

function wants<Switch extends string>(
  settings: Readonly<Record<Switch, boolean>>,
  channels: Channels<Switch>,
  channel: keyof Channels<never>,
): boolean {
  const choice = channels[channel];
  return choice === true || (choice !== undefined && settings[choice]);
}
