/** Measures the landing page: its throughput as a share of a bare server that sends the same bytes, and its transfer size. */

import type { BenchFixture } from "./fixture.ts";
import { atLeast, atMost, type Figure } from "./report.ts";
import { throughputsOf } from "./throughput.ts";
import { landingBars, linkedTransferSize } from "./transfer-size.ts";

const minShare = 0.3;

export async function benchPages(fixture: BenchFixture): Promise<Figure[]> {
  await using product = await fixture.startProduct("web");
  const url = `${product.origin}/`;
  const bareUrl = `${fixture.baseline}/pages/landing`;
  await fetch(bareUrl, { method: "PUT", body: await (await fetch(url)).text() });
  const { bare, page } = await throughputsOf({ bare: { url: bareUrl }, page: { url } });
  const { scripts, styles } = await linkedTransferSize(url);
  return [
    atLeast("landing page", page / bare, minShare, "of bare", `${Math.round(page)} of ${Math.round(bare)} pages/s`),
    atMost("landing page, scripts", scripts.kB, landingBars.scripts, "kB gzip", `${scripts.files} files`),
    atMost("landing page, styles", styles.kB, landingBars.styles, "kB gzip", `${styles.files} files`),
  ];
}
