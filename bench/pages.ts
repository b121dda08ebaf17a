/** The landing page: pages a second, and what it makes a browser load. */
import type { BenchFixture } from "./fixture.ts";
import { atLeast, atMost, type Figure } from "./report.ts";
import { throughput } from "./throughput.ts";
import { landingBars, linkedTransferSize } from "./transfer-size.ts";

export async function benchPages(fixture: BenchFixture): Promise<Figure[]> {
  await using product = await fixture.startProduct("web");
  const url = `${product.origin}/`;
  await throughput({ url }, 2);
  const perSecond = await throughput({ url }, 5);
  const { scripts, styles } = await linkedTransferSize(url);
  return [
    atLeast("landing page", perSecond, 5_000, "pages/s", "one process, anonymous"),
    atMost("landing page, scripts", scripts.kB, landingBars.scripts, "kB gzip", `${scripts.files} files`),
    atMost("landing page, styles", styles.kB, landingBars.styles, "kB gzip", `${styles.files} files`),
  ];
}
