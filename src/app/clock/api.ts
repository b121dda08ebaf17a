import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";

const tags = ["demo"];

const ran = z.array(z.object({ name: z.string(), times: z.int() }));

export const clockApi = {
  read: endpoint("public", { demoOnly: true })
    .route({
      method: "GET",
      path: "/dev/clock",
      operationId: "readClock",
      tags,
      summary: "The present of this installation; in demo mode only",
    })
    .output(z.object({ now: z.date() })),
  advance: endpoint("public", { demoOnly: true })
    .route({
      method: "POST",
      path: "/dev/clock",
      operationId: "advanceClock",
      tags,
      summary: "Move the clock of this installation forward and run what becomes due, in its order; in demo mode only",
    })
    .input(
      z.strictObject({ advance: z.string().max(60).describe("An ISO 8601 duration, at most P1Y: P28D, P1W, PT36H") }),
    )
    .output(
      z.object({
        now: z.date(),
        ran: ran.describe("The jobs that had something to do, in the order of the list, and how often"),
      }),
    ),
};
