import { implement } from "@orpc/server";
import type { Context } from "#platform/http/context.ts";
import type { Services } from "../services.ts";
import { advanceClock } from "./advance.ts";
import { clockApi } from "./api.ts";

const on = implement(clockApi).$context<Context<Services>>();

export const clockRoutes = on.router({
  read: on.read.handler(({ context }) => ({ now: context.services.clock.now() })),
  advance: on.advance.handler(({ input, context }) => advanceClock(context.services, input.advance)),
});
