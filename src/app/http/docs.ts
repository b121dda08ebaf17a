import { createRequire } from "node:module";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { OpenAPI } from "@orpc/contract";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { EndpointMeta } from "#platform/http/api.ts";
import { productVersion } from "#platform/version.ts";
import { api } from "../routing/api.ts";
import { endpoints } from "../routing/endpoints.ts";
import { accessLevels, description, errorCodes, type ErrorStatus, errorStatuses } from "./api-reference.ts";

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
  const document = await generator.generate(api, {
    info: { title: "Stagedoor API", version, description },
    servers: [{ url: "/api" }],
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      responses: Object.fromEntries(statuses.map((status) => [`Error${status}`, errorResponse(status)])),
    },
    security: [{ bearer: [] }, {}],
    commonSchemas: { Error: { strategy: "output", schema: errorSchema } },
  });
  for (const { method, path, meta } of endpoints()) {
    const operation = document.paths?.[path]?.[method.toLowerCase() as "get"];
    if (operation) describeAccess(operation, { path, meta, reads: method === "GET" });
  }
  return document;
}

const statuses = Object.keys(errorStatuses).map(Number) as ErrorStatus[];

const errorSchema = z.object({
  code: z.string().describe(
    Object.entries(errorCodes)
      .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
      .join("\n"),
  ),
  message: z.string().describe("For the user, in English"),
  requestId: z.uuid().describe("Also in the header `x-request-id`"),
  data: z.looseObject({ fields: z.array(z.object({ field: z.string(), message: z.string() })).optional() }).optional(),
});

const errorResponse = (status: ErrorStatus) => ({
  description: errorStatuses[status],
  ...(status === 429 || status === 503
    ? { headers: { "Retry-After": { schema: { type: "integer" as const }, description: "Seconds" } } }
    : {}),
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
});

type Described = { path: string; meta: Partial<EndpointMeta>; reads: boolean };

function describeAccess(operation: OpenAPI.OperationObject, { path, meta, reads }: Described): void {
  const { access = "admin", recent, demoOnly } = meta;
  const isOpen = access === "public" || access === "booking-key";
  if (!isOpen) operation.security = [{ bearer: [] }];
  const notes = [
    operation.description,
    `For ${accessLevels[access]}.`,
    recent && "Outside demo mode it can require an authentication of the last five minutes.",
    demoOnly && "In demo mode only.",
  ];
  operation.description = notes.filter(Boolean).join(" ");
  const hasRow = !reads || path.includes("{");
  const absent: Partial<Record<ErrorStatus, boolean>> = {
    403: reads && isOpen,
    404: !hasRow && isOpen,
    409: !hasRow,
    410: reads || !isOpen,
    413: !operation.requestBody,
    415: !operation.requestBody,
    422: reads || !path.startsWith("/me/"),
  };
  for (const status of statuses)
    if (!absent[status])
      operation.responses = { ...operation.responses, [status]: { $ref: `#/components/responses/Error${status}` } };
  const { 200: success } = operation.responses ?? {};
  if (success && "content" in success && Object.keys(success.content ?? {}).length === 0)
    success.content = { "text/calendar": { schema: { type: "string" } } };
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
