import type { PromoterSettings } from "./rules.ts";

type Known = Pick<PromoterSettings, "organizationName" | "contactName" | "phone" | "defaultEventDuration">;

/** As many characters as the field of the form takes. */
const longestName = 120;

/** "Ada Wren, Ellis Street Nights": the contact and the organization, as far as they are given. The length is in hours. */
export function bookingDefaultsOf({ organizationName, contactName, phone, defaultEventDuration: hours }: Known) {
  const name = [contactName, organizationName].filter(Boolean).join(", ");
  return {
    clientName: name.slice(0, longestName) || null,
    clientPhone: phone || null,
    duration: `${hours} ${hours === 1 ? "hour" : "hours"}`,
  };
}
