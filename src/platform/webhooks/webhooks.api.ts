import { z } from "zod";

export const delivery = z.object({
  id: z.string(),
  type: z.string(),
  received_at: z.date(),
  state: z.enum(["processed", "waiting", "failed"]),
  error: z.string().nullable(),
});

/** A webhook is active once a verified delivery has arrived. */
export const webhookState = z.object({
  path: z.string(),
  url: z.string(),
  has_secret: z.boolean(),
  last_verified: delivery.nullable(),
  deliveries: z.array(delivery).max(3),
});

export const webhookTest = z.object({ ok: z.boolean(), message: z.string(), took_ms: z.int(), at: z.date() });
