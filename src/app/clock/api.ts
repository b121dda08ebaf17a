import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";

const endpoint = endpointsOf("demo");

const ran = z.array(z.object({ name: z.string(), times: z.int() }));

export const clockApi = {
  read: endpoint("public", "GET /dev/clock", "readClock", { demoOnly: true })
    .route({ summary: "The current time of this installation; demo mode only" })
    .output(z.object({ now: z.date() })),
  advance: endpoint("public", "POST /dev/clock", "advanceClock", { demoOnly: true })
    .route({ summary: "Move the clock of this installation forward and run the jobs that become due; demo mode only" })
    .input(
      z.strictObject({ advance: z.string().max(60).describe("An ISO 8601 duration, at most P1Y: P28D, P1W, PT36H") }),
    )
    .output(
      z.object({
        now: z.date(),
        ran: ran.describe("The jobs that found work, in the order of the list, and the number of their runs"),
      }),
    ),
};
