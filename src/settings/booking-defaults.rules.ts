import type { PromoterSettings } from "./rules.ts";

type Known = Pick<PromoterSettings, "organizationName" | "contactName" | "phone" | "defaultEventDuration">;

const maxNameLength = 120;

export function bookingDefaultsOf({ organizationName, contactName, phone, defaultEventDuration: hours }: Known) {
  const name = [contactName, organizationName].filter(Boolean).join(", ");
  return {
    clientName: name.slice(0, maxNameLength) || null,
    clientPhone: phone || null,
    duration: `${hours} ${hours === 1 ? "hour" : "hours"}`,
  };
}
