import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";

const endpoint = endpointsOf("demo");

const ran = z.array(z.object({ name: z.string(), times: z.int() }));

export const clockApi = {
  read: endpoint("public", "GET /dev/clock", "readClock", { demoOnly: true })
    .route({ summary: "The present of this installation; in demo mode only" })
    .output(z.object({ now: z.date() })),
  advance: endpoint("public", "POST /dev/clock", "advanceClock", { demoOnly: true })
    .route({
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
