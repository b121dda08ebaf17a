/** The landing page: pages a second, and what it weighs. */
import { atLeast, atMost, type Figure } from "./report.ts";
import { type BenchStage, throughput } from "./stage.ts";
import { landingBars, linkedWeight } from "./weight.ts";

export async function benchPages(stage: BenchStage): Promise<Figure[]> {
  const perSecond = await throughput(`${stage.product}/`);
  const { scripts, styles } = await linkedWeight(`${stage.product}/`);
  return [
    atLeast("landing page", perSecond, 5_000, "pages/s", "one process, anonymous"),
    atMost("landing page, scripts", scripts.kB, landingBars.scripts, "kB gzip", `${scripts.files} files`),
    atMost("landing page, styles", styles.kB, landingBars.styles, "kB gzip", `${styles.files} files`),
  ];
}
