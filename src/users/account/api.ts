import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { deletionObstacleNames, passwordLength } from "../rules.ts";

const endpoint = endpointsOf("accounts");

export const sessionShape = z.object({
  id: z.uuid(),
  device: z.string(),
  ip: z.string().nullable(),
  /** A display text from the address alone: "This computer", "Local network, …", "From …, same network as now". */
  place: z.string(),
  current: z.boolean(),
  assuranceLevel: z.enum(["aal1", "aal2"]),
  signedInAt: z.date(),
  lastUsedAt: z.date(),
});

/** The current password, or the code of GET /auth/v1/reauthenticate. Not needed within five minutes of an authentication. */
export const reauthentication = {
  password: z.string().max(passwordLength.max).optional(),
  code: z.string().max(20).optional(),
};
const reauthenticationShape = z.strictObject(reauthentication);

export const accountApi = {
  sessions: endpoint("signed-in", "GET /me/sessions", "listMySessions")
    .route({ summary: "The devices where the user is signed in, last used first" })
    .output(z.object({ items: z.array(sessionShape) })),
  reauthenticate: endpoint("signed-in", "POST /me/reauthenticate", "reauthenticate")
    .route({
      summary: "Authenticate again in this session; calls that require recent authentication work for five minutes",
    })
    .input(reauthenticationShape)
    .output(z.object({ recent: z.literal(true) })),
  endSession: endpoint("signed-in", "DELETE /me/sessions/{sessionId}", "endMySession")
    .route({ summary: "Sign out one device; any other device than this one requires recent authentication" })
    .input(z.strictObject({ sessionId: z.uuid() }))
    .output(z.object({ ended: z.literal(true) })),
  exportData: endpoint("signed-in", "POST /me/export", "exportMyData")
    .route({
      summary: "All stored data about the user, table by table, without secrets and without the text of emails",
    })
    .input(reauthenticationShape)
    .output(
      z.object({
        exportedAt: z.date(),
        userId: z.uuid(),
        tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
      }),
    ),
  deletionObstacle: endpoint("signed-in", "GET /me/deletion-obstacle", "readDeletionObstacle")
    .route({ summary: "Why the account cannot be deleted yet; null if it can" })
    .output(z.object({ obstacle: z.enum(deletionObstacleNames).nullable() })),
  deleteAccount: endpoint("signed-in", "POST /me/delete", "deleteMyAccount")
    .route({ summary: "Delete the account; bookings and money records stay without the name" })
    .input(reauthenticationShape)
    .output(z.object({ deleted: z.literal(true) })),
};
