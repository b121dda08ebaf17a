/** The landing page: pages a second, and what it weighs. */
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { atLeast, atMost, type Figure } from "./report.ts";
import { type BenchStage, throughput } from "./stage.ts";

const kB = 1_000;

export async function benchPages(stage: BenchStage): Promise<Figure[]> {
  const perSecond = await throughput(`${stage.product}/`);
  const html = await read(`${stage.product}/`);
  const scripts = linked(html, /<(?:script|link)[^>]+(?:src|href)="(\/assets\/[^"]+\.js)"/g);
  const styles = linked(html, /<link[^>]+href="(\/assets\/[^"]+\.css)"/g);
  return [
    atLeast("landing page", perSecond, 5_000, "pages/s", "one process, anonymous"),
    atMost("landing page, scripts", (await weight(stage, scripts)) / kB, 115, "kB gzip", `${scripts.length} files`),
    atMost("landing page, styles", (await weight(stage, styles)) / kB, 5, "kB gzip", `${styles.length} files`),
  ];
}

const linked = (html: string, pattern: RegExp) => [
  ...new Set([...html.matchAll(pattern)].map((match) => match[1] ?? "")),
];

async function weight(stage: BenchStage, paths: readonly string[]): Promise<number> {
  const texts = await Promise.all(paths.map((path) => read(stage.product + path)));
  return texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
}

async function read(url: string): Promise<string> {
  const answer = await fetch(url, { headers: { "accept-encoding": "identity" } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const encoding = answer.headers.get("content-encoding");
  if (encoding === "br" && bytes[0] !== 0x3c) return brotliDecompressSync(bytes).toString();
  if (encoding === "gzip" && bytes[0] === 0x1f) return gunzipSync(bytes).toString();
  return bytes.toString();
}
