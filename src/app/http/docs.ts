import { createRequire } from "node:module";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { productVersion } from "#platform/version.ts";
import { api } from "../routing/api.ts";

const swaggerFolder = path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Stagedoor API</title>
<link rel="stylesheet" href="/api/docs/files/swagger-ui.css"></head>
<body><main id="docs"></main><script src="/api/docs/files/swagger-ui-bundle.js"></script><script src="/api/docs/start.js"></script></body>
</html>`;
const start = `SwaggerUIBundle({ url: "/api/openapi.json", domNode: document.getElementById("docs"), deepLinking: true });`;

/** Returns the OpenAPI document. Its generator is loaded on the first request, and the document is made once per process. */
export async function openApiDocument(): Promise<object> {
  const version = productVersion();
  const { OpenAPIGenerator } = await import("@orpc/openapi");
  const { ZodToJsonSchemaConverter } = await import("@orpc/zod/zod4");
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  return generator.generate(api, {
    info: {
      title: "Stagedoor API",
      version,
      description:
        "Find artists, request a date, pay and sign. Amounts are integer cents, each with its currency. Dates are YYYY-MM-DD. " +
        "An error response has a code, a message for the user and the request id. Accounts follow the GoTrue protocol under /auth/v1.",
    },
    servers: [{ url: "/api" }],
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } } },
    security: [{ bearer: [] }, {}],
  });
}

export const docsPlugin = () => async (app: FastifyInstance) => {
  let document: Promise<object> | undefined;
  app.get("/api/openapi.json", async () => (document ??= openApiDocument()));
  app.get("/api/docs", async (_request, reply) =>
    reply
      .type("text/html; charset=utf-8")
      .header(
        "content-security-policy",
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
      )
      .send(page),
  );
  app.get("/api/docs/start.js", async (_request, reply) => reply.type("text/javascript").send(start));
  await app.register(fastifyStatic, {
    root: swaggerFolder,
    prefix: "/api/docs/files/",
    index: false,
    decorateReply: false,
  });
};
