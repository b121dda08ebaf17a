import { useRouteLoaderData } from "react-router";
import type { z } from "zod";
import type { publicSettings } from "#settings/api.ts";

export type Site = z.infer<typeof publicSettings> & { origin: string };

/** The brand colour that tokens.css already carries. */
export const defaultBrand = "#6366f1";

/** The platform's public settings; undefined only while the page that failed to load them is shown. */
export function useSite(): Site | undefined {
  return useRouteLoaderData<Site>("root");
}
