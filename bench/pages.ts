/** The landing page: pages a second, and what it weighs. */
import { atLeast, atMost, type Figure } from "./report.ts";
import { type BenchFixture, throughput } from "./fixture.ts";
import { landingBars, linkedTransferSize } from "./transfer-size.ts";

export async function benchPages(stage: BenchFixture): Promise<Figure[]> {
  const perSecond = await throughput(`${stage.product}/`);
  const { scripts, styles } = await linkedTransferSize(`${stage.product}/`);
  return [
    atLeast("landing page", perSecond, 5_000, "pages/s", "one process, anonymous"),
    atMost("landing page, scripts", scripts.kB, landingBars.scripts, "kB gzip", `${scripts.files} files`),
    atMost("landing page, styles", styles.kB, landingBars.styles, "kB gzip", `${styles.files} files`),
  ];
}
