import { useRouteLoaderData } from "react-router";
import type { z } from "zod";
import type { publicSettings } from "#settings/api.ts";

export type Site = z.infer<typeof publicSettings> & { origin: string };

export const defaultBrand = "#6366f1";

/** Undefined only on the page that failed to load the settings. */
export function useSite(): Site | undefined {
  return useRouteLoaderData<Site>("root");
}
