import type { FastifyInstance } from "fastify";
import type { Services } from "../services.ts";
import { servePages, type Web, type WebModule } from "./render.ts";
import { visitorApi } from "./visitor-api.ts";

export async function serveSources(app: FastifyInstance, services: Services): Promise<void> {
  const { createServer } = await import("vite");
  const vite = await createServer({ server: { middlewareMode: true }, appType: "custom" });
  app.addHook("onClose", () => vite.close());
  app.addHook("onRequest", (request, reply, next) => {
    if (/^\/(api|auth\/v1|sandbox|storage|art|dev|pay)\b/.test(request.url)) return next();
    vite.middlewares(request.raw, reply.raw, () => next());
  });
  const web: Web = {
    render: async (request) => {
      const source = (await vite.ssrLoadModule("/src/web/server.ts")) as WebModule;
      return source.createWeb({ api: visitorApi(services) }).render(request);
    },
  };
  servePages(app, services, web);
}
