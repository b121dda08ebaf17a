import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { connectionFields, connectionStatuses } from "./rules.ts";

const endpoint = endpointsOf("calendar");

const connection = z.object({
  id: z.uuid(),
  server_url: z.string(),
  server_host: z.string(),
  username: z.string(),
  status: z.enum(connectionStatuses),
  is_waiting: z.boolean().describe("True: a sync is due or running, and its result follows"),
  show_count: z.int().describe("Shows in our calendar on the server"),
  last_success_at: z.date().nullable().describe("When our calendar was last complete on the server"),
  last_written_at: z.date().nullable(),
  failing_since: z.date().nullable(),
  message: z.string().nullable().describe("The reason of a failure, for the user"),
  failed_field: z.enum(connectionFields).nullable().describe("The input field that caused the failure"),
  removed_until: z
    .date()
    .nullable()
    .describe("When a connection that is being removed is deleted regardless of the server's response"),
});
export type ConnectionReply = z.infer<typeof connection>;

const id = z.uuid("This is not the id of a connection.");
const serverUrl = z.string().trim().min(1, "Enter the address of the CalDAV server.").max(2_000);
const username = z.string().trim().min(1, "Enter the user name.").max(320);
const password = z.string().min(1, "Enter the app password.").max(500);

/** Without a password, the shows go to the same account as before. */
const changesLogin = (input: unknown) => (input as { password?: unknown } | null)?.password !== undefined;

export const calendarConnectionsApi = {
  list: endpoint("signed-in", "GET /me/calendar-connections", "listCalendarConnections")
    .route({ summary: "The CalDAV servers that the user's shows are written to, without passwords" })
    .output(z.object({ items: z.array(connection) })),
  add: endpoint("signed-in", "POST /me/calendar-connections", "addCalendarConnection", { recent: true })
    .route({ summary: "Connect a CalDAV server; it is tested afterwards, and the list has the result" })
    .input(z.strictObject({ server_url: serverUrl, username, password }))
    .output(connection),
  retry: endpoint("signed-in", "POST /me/calendar-connections/{id}/retry", "retryCalendarConnection", {
    recent: changesLogin,
  })
    .route({
      summary: "Write the shows now, with the new password if one is given; the list has the result",
      description:
        "The address and the user name can be corrected, with the password, until the connection worked once. Outside demo mode a password requires an authentication of the last five minutes.",
    })
    .input(
      z.strictObject({
        id,
        server_url: serverUrl.optional(),
        username: username.optional(),
        password: password.optional(),
      }),
    )
    .output(connection),
  remove: endpoint("signed-in", "DELETE /me/calendar-connections/{id}", "removeCalendarConnection")
    .route({
      summary:
        "Remove a connection and our calendar on the server; after a failed removal, a second call deletes the connection only",
    })
    .input(z.strictObject({ id }))
    .output(z.object({ id: z.uuid() })),
};
