import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import type { OpenServices, Services } from "../services.ts";
import { servePages, type WebModule } from "./render.ts";
import { visitorApi } from "./visitor-api.ts";

const buildFolder = path.resolve(import.meta.dirname, "../../../build");
const clientFolder = path.join(buildFolder, "client");

export const pagesPlugin = (services: Services & Partial<OpenServices>) => async (app: FastifyInstance) => {
  if (services.config.dev) {
    const { serveSources } = await import("./dev-plugin.ts");
    return serveSources(app, services);
  }
  const entry = path.join(buildFolder, "server/index.js");
  if (!existsSync(entry)) throw new Error("The web is not built. Run npm start, or npm run build.");
  await app.register(fastifyStatic, {
    root: path.join(clientFolder, "assets"),
    prefix: "/assets/",
    immutable: true,
    maxAge: "1y",
    // The build stores them compressed (scripts/web/compress-assets.mjs).
    preCompressed: true,
    decorateReply: false,
  });
  const { createWeb } = (await import(pathToFileURL(entry).href)) as WebModule;
  servePages(app, services, createWeb({ api: visitorApi(services), clientFolder }));
};
