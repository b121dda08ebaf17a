/**
 * The specification's visible words on the settings, profile, media, payouts and payments screens, checked by
 * e2e/site/widths.spec.ts. Words that appear only during an action ("Saving...", toasts) are in the tests next to the
 * screens.
 */

import { type Screen, signedIn } from "./spec-wording.ts";

const settingsTabs = {
  admin: ["Platform Settings", "Payments", "E-Sign", "Notifications", "Brand", "Integrations", "Components"],
  artist: ["Settings", "Availability", "Notifications", "Privacy", "Preferences"],
  promoter: ["Settings", "Profile", "Notifications", "Preferences"],
};

/** Words of screens that the layout test opens, by URL. */
export const measuredScreens: readonly Screen[] = [
  {
    reader: "admin",
    at: "/admin/settings",
    words: [...settingsTabs.admin, "Default deposit percentage", "Default currency", ...signedIn],
  },
  {
    reader: "admin",
    at: "/admin/settings?tab=esign",
    words: [...settingsTabs.admin, "Provider", "Default Contract Template ID", "Test API Connection"],
  },
  {
    reader: "admin",
    at: "/admin/settings?tab=notifications",
    words: [
      ...settingsTabs.admin,
      "From Email",
      "Reply-To Email",
      "Email Footer Text",
      "Booking Confirmation",
      "Deposit Received",
      "Contract Sent",
      "Contract Signed",
      "Payment Failed",
      "Active",
      "Edit",
    ],
  },
  { reader: "admin", at: "/admin/settings?tab=brand", words: [...settingsTabs.admin, "Primary colour", "Logo URL"] },
  {
    reader: "admin",
    at: "/admin/settings?tab=integrations",
    words: [...settingsTabs.admin, "/api/webhooks/stripe", "/api/webhooks/esign", "Test"],
  },
  {
    reader: "artist",
    at: "/artist/bookings",
    words: ["Sign Contract", "Create Balance Link"],
  },
  {
    reader: "artist",
    at: "/artist/profile",
    words: [
      "My Profile",
      "Basic Information",
      "Artist Name",
      "Genre",
      "Biography",
      "Pricing",
      "Base Rate (in cents)",
      "Media URLs",
      "Photo URL",
      "Video URL",
      "Contact",
      "Email",
      "Phone",
      "Save Profile",
    ],
    choices: {
      Genre: [
        "acoustic",
        "blues",
        "classical",
        "country",
        "electronic",
        "folk",
        "jazz",
        "pop",
        "rock",
        "soul",
        "other",
      ],
    },
  },
  {
    reader: "artist",
    at: "/artist/media",
    words: [
      "Media & Portfolio",
      "Photo",
      "Video",
      "Video URL",
      "max 5MB",
      "Cancel Changes",
      "Save Changes",
      "/artist/",
    ],
  },
  {
    reader: "artist",
    at: "/artist/payouts",
    words: [
      "Payouts & Earnings",
      "Total Earnings",
      "Pending Payouts",
      "Completed Payments",
      "Payment Account Setup",
      "2-7 business days",
      "Event completed",
      "Client payment verified",
      "Platform fee deducted",
      "Payout",
      "Recent Transactions",
    ],
  },
  {
    reader: "artist",
    at: "/artist/settings",
    words: [...settingsTabs.artist, "Minimum Notice", "Maximum Advance Booking", "Travel Radius"],
  },
  {
    reader: "artist",
    at: "/artist/settings?tab=notifications",
    words: [...settingsTabs.artist, "Booking requests", "Contract updates", "Payment notifications", "Email", "SMS"],
  },
  {
    reader: "artist",
    at: "/artist/settings?tab=privacy",
    words: [...settingsTabs.artist, "Public Profile", "Show Contact Info", "Allow Direct Messages"],
  },
  {
    reader: "artist",
    at: "/artist/settings?tab=preferences",
    words: [
      ...settingsTabs.artist,
      "Require Deposit",
      "Accept Corporate Events",
      "Accept Private Events",
      "Accept Wedding Events",
    ],
  },
  { reader: "promoter", at: "/promoter/payments", words: ["Promoter Dashboard", "Payments", ...signedIn] },
  {
    reader: "promoter",
    at: "/promoter/settings",
    words: [...settingsTabs.promoter, "Organization Name", "Contact Name", "Phone", "Website", "Description"],
  },
  {
    reader: "promoter",
    at: "/promoter/settings?tab=notifications",
    words: [
      ...settingsTabs.promoter,
      "Booking confirmations",
      "Contract updates",
      "Payment notifications",
      "Payment reminders",
      "Urgent updates",
    ],
  },
  {
    reader: "promoter",
    at: "/promoter/settings?tab=preferences",
    words: [
      ...settingsTabs.promoter,
      "Default Event Duration",
      "Preferred Contact Method",
      "Require Contract Signing",
      "Auto-Approve Artists",
    ],
    choices: { "Preferred Contact Method": ["Email", "Phone", "This platform"] },
  },
];
