import { erasedEmail } from "#platform/email-address.rules.ts";
import { listTable, unexportedTable } from "#platform/personal-data/data-export.ts";
import { artistShape, formerSellersName, platformShape, promoterShape } from "#settings/rules.ts";

export const accountsTables = [
  listTable("users", {
    rows: { userId: ["id"] },
    personal: {
      reason: "The account.",
      columns: {
        email: null,
        phone: null,
        new_email: null,
        new_phone: null,
        password_hash: null,
        idle_sign_up_hash: null,
        suspended_reason: null,
        user_metadata: {},
        former_emails: [],
      },
      erase: "clear",
    },
    exported: `
      id email email_confirmed_at new_email former_emails phone phone_confirmed_at new_phone user_metadata banned_until
      suspended_reason confirmation_sent_at recovery_sent_at last_sign_in_at password_changed_at hosted_seen_at
      hosted_factor created_at updated_at deleted_at
    `,
    withheld: { secret: "password_hash idle_sign_up_hash", internal: "email_change_old_ok email_change_new_ok" },
  }),
  listTable("profiles", {
    rows: { userId: ["user_id"] },
    personal: {
      reason: "The displayed name and email address.",
      columns: { name: "Deleted user", email: erasedEmail },
      erase: "module",
    },
    exported: "user_id email name role created_at",
  }),
  listTable("sessions", {
    rows: { userId: ["user_id"] },
    personal: {
      reason: "Signed-in devices, until their session expires.",
      columns: { user_agent: null, ip: null, ip_block: null },
      erase: "module",
    },
    exported: "id user_id aal amr user_agent ip ip_block created_at refreshed_at not_after",
    withheld: { internal: "checked_at reauthenticated_at" },
  }),
  listTable("ended_sessions", {
    rows: { userId: ["user_id"] },
    exported: "id user_id expires_at",
    withheld: { internal: "notified" },
  }),
  listTable("known_networks", {
    rows: { userId: ["user_id"] },
    personal: {
      reason: "Networks of completed sign-ins, for 90 days.",
      columns: { block_hash: null },
      erase: "delete",
    },
    exported: "user_id second_factor last_used_at",
    withheld: { secret: "block_hash" },
  }),
  listTable("one_time_tokens", {
    rows: { userId: ["user_id"] },
    personal: {
      reason: "Links and codes, until they expire.",
      columns: { target: "", redirect: null },
      erase: "delete",
    },
    exported: "user_id kind target redirect created_at expires_at",
    withheld: { secret: "hash code_hash nonce_hash" },
  }),
  listTable("calendar_feeds", {
    rows: { userId: ["user_id"] },
    personal: {
      reason: "The feed addresses from which calendar programs read the user's shows.",
      columns: { token_sealed: null, last_client: null },
      erase: "delete",
    },
    exported: "user_id kind created_at last_fetched_at last_client",
    withheld: { secret: "token_hash token_sealed" },
  }),
  listTable("external_calendars", {
    rows: { through: { artist_id: "artists" } },
    personal: {
      reason: "Calendars of other programs that an artist added, until they remove them.",
      columns: { name: "", url_sealed: "", url_host: "", unread_title: null },
      erase: "delete",
    },
    exported:
      "id artist_id name url_host entry_count created_at last_success_at failing_since message unread_count unread_title unread_day unread_reason",
    withheld: { secret: "url_sealed", internal: "etag had_end checked_at last_read_at notified_at" },
  }),
  listTable("calendar_connections", {
    rows: { userId: ["user_id"] },
    personal: {
      reason: "Calendar servers that the user's shows are written to, until the user removes them.",
      columns: { server_url: "", username: "", password_sealed: "", calendar_url: null },
      erase: "delete",
    },
    exported:
      "id user_id server_url username calendar_url created_at last_success_at last_written_at failing_since message failed_field removing_since",
    withheld: { secret: "password_sealed", internal: "next_sync_at leased_until attempts notified_at" },
  }),
  listTable("calendar_connection_shows", {
    rows: { through: { connection_id: "calendar_connections" } },
    withheld: { internal: "connection_id booking_id version text_digest etag" },
  }),
  listTable("factors", {
    rows: { userId: ["user_id"] },
    personal: {
      reason: "Authenticator apps and passkeys.",
      columns: { friendly_name: "", secret: "", credential_id: null },
      erase: "delete",
    },
    exported: "id user_id kind friendly_name credential_id status created_at updated_at last_used_at",
    withheld: { secret: "secret", internal: "last_step" },
  }),
  listTable("recovery_codes", {
    rows: { userId: ["user_id"] },
    personal: { reason: "Recovery codes.", columns: { argon2: null }, erase: "delete" },
    exported: "user_id used_at created_at",
    withheld: { secret: "hash argon2" },
  }),
  listTable("identities", {
    rows: { userId: ["user_id"] },
    personal: { reason: "Sign-in with an organization's account.", columns: { subject: "" }, erase: "delete" },
    exported: "issuer subject user_id role_before created_at last_used_at refused_at",
    withheld: { internal: "admin_claimed" },
  }),
  listTable("account_changes", {
    rows: { userId: ["user_id"] },
    personal: {
      reason: "Undoing a change of the account, for 7 days.",
      columns: { before: {}, factor_secret: null },
      erase: "delete",
    },
    exported: "id user_id kind before created_at expires_at undone_at",
    withheld: { secret: "token_hash factor_secret", internal: "seq" },
  }),
  listTable("admin_requests", {
    rows: { userId: ["user_id"] },
    personal: { reason: "Requests to become an admin.", columns: { user_id: null }, erase: "delete" },
    exported: "user_id created_at decided_at granted",
    withheld: { others: "decided_by" },
  }),
  listTable("profile_claims", {
    rows: { userId: ["user_id"] },
    personal: {
      reason: "Evidence that a profile belongs to the user.",
      columns: { evidence: "Removed with the account.", note: null },
      erase: "clear",
      nightly: [{ action: "clear", days: 365, since: "decided_at" }],
    },
    exported: "id artist_id user_id evidence created_at decided_at granted note",
    withheld: { others: "decided_by" },
  }),
  unexportedTable("factor_challenges"),
  unexportedTable("passkey_challenges"),
  unexportedTable("operator_tokens", {
    reason: "The one-time token that makes the first admin.",
    nightly: [{ action: "delete", days: 30, since: "expires_at" }],
  }),
  unexportedTable("refresh_tokens"),
  unexportedTable("signing_keys"),

  listTable("settings", {
    rows: { userId: ["owner_id"], through: { owner_id: "artists" } },
    personal: {
      reason: "Preferences of a user. Those of an act contain the seller's name and tax number and are retained.",
      retained: { accounting: "value" },
      erase: "delete",
      found: { userId: ["owner_id"] },
    },
    exported: "scope owner_id value updated_at",
    withheld: { internal: "version", others: "updated_by" },
    // The documents have encrypted provider keys beside the settings.
    jsonKeys: {
      value: [formerSellersName, ...[platformShape, artistShape, promoterShape].flatMap((shape) => Object.keys(shape))],
    },
  }),

  listTable("artists", {
    rows: { userId: ["user_id"] },
    personal: {
      reason: "The profile of an act.",
      retained: { published: "name name_text allowed_name slug" },
      columns: {
        bio: "",
        photo_url: null,
        photo_image: null,
        video_url: null,
        location: "",
        place_id: null,
        lat: null,
        lon: null,
        contact_phone: null,
        specialties: [],
        equipment: [],
      },
      erase: "clear",
    },
    exported: `
      id user_id slug name genre bio photo_url photo_image video_url base_rate top_rate price_currency is_active
      is_public years_experience location lat lon time_zone place_id contact_phone specialties equipment rating_x10
      review_count booked_count featured_rank poster_variant created_at updated_at
    `,
    withheld: {
      internal: "version name_text allowed_name price_order travel_radius home reach inactive_by_suspension",
    },
  }),
  listTable("artist_media", {
    rows: { through: { artist_id: "artists" } },
    personal: {
      reason: "Pictures of a profile.",
      columns: { url: "", caption: "", alt: "", image: null },
      erase: "delete",
    },
    exported: "id artist_id kind url alt caption image position created_at",
  }),
  listTable("artist_files", {
    rows: { userId: ["user_id"] },
    personal: {
      reason: "Uploaded pictures, removed with their account.",
      columns: { name: "", thumbhash: "" },
      erase: "module",
    },
    exported: "name user_id kind bytes width height created_at",
    withheld: { internal: "thumbhash avif_at avif_tries avif_try_at" },
  }),

  listTable("artist_samples", {
    rows: { through: { artist_id: "artists" } },
    personal: {
      reason: "Sound samples of a profile, removed with their account.",
      columns: { name: "", title: "", bars: "" },
      erase: "module",
    },
    exported: "id artist_id name title position bytes seconds loudness gain bars created_at",
  }),

  listTable("activity", {
    // An admin's action on another user is that user's entry, not the admin's.
    rows: { userId: ["ref_id"], through: { ref_id: "artists" } },
    personal: { reason: "The activity log of bookings and payments.", retained: { log: "message meta" } },
    exported: "id type ref_id message created_at",
    withheld: { others: "actor_id meta", internal: "position" },
  }),
  unexportedTable("activity_chain"),

  listTable("messages", {
    rows: { email: ["recipient"], phone: ["recipient"] },
    personal: {
      reason: "Sending each email or SMS once, and a record that it was sent.",
      columns: {
        recipient: "",
        subject: "",
        text: "",
        html: null,
        reply_to: null,
        last_error: null,
        dedupe_key: null,
        attachment_text: null,
      },
      erase: "delete",
      found: {
        userId: ["ref_id"],
        email: ["recipient", "reply_to"],
        phone: ["recipient"],
        through: { ref_id: { table: "bookings", where: "status <> 'waiting'" } },
      },
      nightly: [
        { action: "delete", days: 400, since: "created_at", where: `status <> 'waiting'` },
        { action: "delete", days: 1, since: "created_at", where: `template = 'account_deleted'` },
      ],
    },
    exported: "id channel recipient template subject attachment_name ref_id status sent_at created_at",
    // The text has links and codes that open accounts and payments. A session without access to the mailbox must not expose them.
    withheld: {
      secret: "text html attachment_text",
      internal:
        "dedupe_key attempts last_error next_try_at retry_until expires_at adapter provider_ref attachment_kind attachment_id",
      others: "reply_to",
    },
  }),
  listTable("contact_messages", {
    rows: { email: ["email"] },
    personal: {
      reason: "Answering messages from the contact form.",
      columns: { name: "", email: "", subject: "", message: "" },
      erase: "delete",
      nightly: [{ action: "delete", days: 365, since: "created_at" }],
    },
    exported: "id name email subject message created_at",
  }),
  unexportedTable("email_templates"),

  unexportedTable("event_outbox", {
    reason: "The content of a failed event, until an admin has retried it.",
    retained: { log: "body" },
    nightly: [{ action: "delete", days: 365, since: "dead_at" }],
  }),
  // Keyed by a fingerprint of the address, and removed after their window.
  unexportedTable("rate_limits"),
  unexportedTable("operator_notices"),
  unexportedTable("job_runs"),
  unexportedTable("backups"),
  unexportedTable("missing_files"),
  unexportedTable("component_tests"),
  unexportedTable("installation_clock"),
  unexportedTable("installation_keys"),
  unexportedTable("seed_markers"),
];
