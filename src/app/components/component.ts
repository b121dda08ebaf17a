import type { Payments } from "#gateway/gateway.ts";

type InUse = Readonly<{ product: string; mode: "embedded" | "external" }>;

export type TestOptions = Readonly<{
  sendTo?: string | undefined;
  limitMs?: number;
}>;

export type Component = Readonly<{
  inUse(services: Payments): Promise<InUse | undefined> | InUse | undefined;
  /** Returns what a chosen product lacks here, without a request. It counts as failing then. */
  missing?(services: Payments): Promise<string | undefined>;
  slowMs: number;
  /** `product` is empty if the test ended before it was known. */
  check(services: Payments, product: string): string;
  address(services: Payments): string;
  /** Tests the component and returns what was done, for the admin. Changes nothing permanently. Throws on failure. */
  test(services: Payments, options: TestOptions): Promise<string>;
}>;
