import type { FastifyInstance } from "fastify";
import { errorMessage, Problem } from "#platform/errors.ts";
import type { Services } from "../services.ts";
import { advanceClock, clockProblems } from "./advance.ts";

const back = "/dev/outbox";

/** The buttons of the outbox page. Redirects back to it, with the reason if the clock did not move. Refuses a form of another site. */
export const clockPlugin = (services: Services) => async (app: FastifyInstance) => {
  if (!services.config.demo) return;
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 1_024 },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  app.post("/dev/clock", async (request, reply) => {
    const site = request.headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin" && site !== "none")
      throw new Problem("forbidden", "The clock can only be moved from its own page.");
    const advance = request.body instanceof URLSearchParams ? request.body.get("advance") : null;
    try {
      await advanceClock(services, advance ?? "");
    } catch (error) {
      const [problem] = Object.entries(clockProblems).find(([, message]) => message === errorMessage(error)) ?? [];
      if (!problem) throw error;
      return reply.redirect(`${back}?clock=${problem}`, 303);
    }
    return reply.redirect(back, 303);
  });
};
