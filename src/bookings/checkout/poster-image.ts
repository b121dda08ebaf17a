import type { Context } from "#platform/http/context.ts";
import { posterUrl } from "#artists/index.ts";
import type { Payments } from "#payments/index.ts";
import { originOf } from "./origin.ts";

/** The artist's poster for the provider's page; a provider elsewhere cannot fetch it from loopback, so it gets none. */
export function artistsPicture(context: Context<Payments>, artist: Parameters<typeof posterUrl>[0]): string | null {
  const origin = originOf(context);
  return origin.startsWith("https:") ? `${origin}${posterUrl(artist)}` : null;
}
