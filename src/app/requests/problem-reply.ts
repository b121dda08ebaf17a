import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "#platform/errors.ts";
import { errorBody } from "#platform/http/problems.ts";
import { escapeHtml } from "#platform/pages/markup.ts";

export function sendProblem(
  reply: FastifyReply,
  problem: Problem | undefined,
  request: Pick<FastifyRequest, "id" | "headers">,
  isUnreadableAddress = false,
): FastifyReply {
  const status = problem?.status ?? 500;
  reply.code(status);
  if (problem?.retryAfterSeconds) reply.header("retry-after", String(problem.retryAfterSeconds));
  if (status >= 500) reply.header("cache-control", "no-store");
  const hasPage = problem?.status === 503 || isUnreadableAddress;
  if (!problem || !hasPage || !request.headers.accept?.includes("text/html"))
    return reply.send(errorBody(problem, request.id));
  return reply
    .headers({ "content-type": "text/html; charset=utf-8", "content-security-policy": contentPolicy })
    .send(
      isUnreadableAddress
        ? problemPage("This page was not found", problem.message, `<a href="/">Go to the start page</a>`)
        : problemPage("This page could not be loaded", problem.message, `<a href="">Try again</a>`),
    );
}

const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

const problemPage = (title: string, message: string, link: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<body style="font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem">
<h1>${title}</h1>
<p>${escapeHtml(message)}</p>
<p>${link}</p>
</html>
`;
