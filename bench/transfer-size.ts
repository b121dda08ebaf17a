/** The transfer size of a page: every script and style that its HTML links, each compressed separately. */

import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";

/** The limits of the landing page in kB (1,000 bytes) after gzip -9 (docs/decisions/0001). */
export const landingBars = { scripts: 122, styles: 5 };

export type Weight = Readonly<{ kB: number; files: number }>;

/** Measures the page at an address. A page that links nothing of a kind has 0 kB in 0 files. */
export async function linkedTransferSize(address: string): Promise<{ scripts: Weight; styles: Weight }> {
  const html = await read(address);
  const { origin } = new URL(address);
  return {
    scripts: await weigh(origin, linked(html, /<(?:script|link)[^>]+(?:src|href)="(\/assets\/[^"]+\.js)[#?"]/g)),
    styles: await weigh(origin, linked(html, /<link[^>]+href="(\/assets\/[^"]+\.css)[#?"]/g)),
  };
}

const linked = (html: string, pattern: RegExp) => [
  ...new Set([...html.matchAll(pattern)].map((match) => match[1] ?? "")),
];

async function weigh(origin: string, paths: readonly string[]): Promise<Weight> {
  const texts = await Promise.all(paths.map((path) => read(origin + path)));
  const bytes = texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
  return { kB: bytes / 1_000, files: paths.length };
}

async function read(url: string): Promise<string> {
  const response = await fetch(url, { headers: { "accept-encoding": "identity" } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const encoding = response.headers.get("content-encoding");
  if (encoding === "br" && bytes[0] !== 0x3c) return brotliDecompressSync(bytes).toString();
  if (encoding === "gzip" && bytes[0] === 0x1f) return gunzipSync(bytes).toString();
  return bytes.toString();
}
