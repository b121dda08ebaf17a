import type { FastifyInstance } from "fastify";
import { renderDrawing } from "#platform/files/pictures.ts";
import { markPaths } from "#platform/pages/mark.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";

const paper = "#f5f2ed";
const mark = `<path fill="#1e1928" d="${markPaths.frame}"/><path fill="#f5bd4f" d="${markPaths.panel}"/><path fill="#f5bd4f" opacity=".6" d="${markPaths.light}"/>`;

/** Draws the mark in a square of `pixels`: bare, or on paper with a margin, because home screens round the corners. */
function drawIcon(pixels: number, onPaper: boolean): string {
  const [ground, place] = onPaper
    ? [`<rect width="40" height="40" fill="${paper}"/>`, "translate(8.8 7) scale(.65)"]
    : ["", "translate(4)"];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="${pixels}" height="${pixels}">${ground}<g transform="${place}">${mark}</g></svg>`;
}

const faviconPixels = 32;

function toIco(png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(faviconPixels, 6);
  head.writeUInt8(faviconPixels, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

const icons: Readonly<Record<string, { type: string; make(): Promise<Buffer> }>> = {
  "favicon.ico": { type: "image/x-icon", make: async () => toIco(await renderDrawing(drawIcon(faviconPixels, false))) },
  "apple-touch-icon.png": { type: "image/png", make: () => renderDrawing(drawIcon(180, true)) },
  "icon-192.png": { type: "image/png", make: () => renderDrawing(drawIcon(192, true)) },
  "icon-512.png": { type: "image/png", make: () => renderDrawing(drawIcon(512, true)) },
};

const manifest = JSON.stringify({
  name: "Stagedoor",
  short_name: "Stagedoor",
  description: "Bookings, contracts and payouts for live artists.",
  start_url: paths.home,
  display: "standalone",
  background_color: paper,
  theme_color: paper,
  icons: [192, 512].map((size) => ({
    src: `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose: "any maskable",
  })),
});

const aDay = { "cache-control": "public, max-age=86400", "x-content-type-options": "nosniff" };

export const siteIconsPlugin = () => async (app: FastifyInstance) => {
  for (const [file, { type, make }] of Object.entries(icons)) {
    let drawn: Promise<Buffer> | undefined;
    app.get(`/${file}`, async (_request, reply) => {
      drawn ??= make();
      drawn.catch(() => (drawn = undefined));
      return reply
        .headers(aDay)
        .type(type)
        .send(await drawn);
    });
  }
  app.get("/manifest.webmanifest", (_request, reply) =>
    reply.headers(aDay).type("application/manifest+json").send(manifest),
  );
};
