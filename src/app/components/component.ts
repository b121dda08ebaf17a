/** What a component of the installation is to its page and to its test. */
import type { Payments } from "#gateway/gateway.ts";

/** What is in use: a product of this server, or one elsewhere. */
export type InUse = Readonly<{ product: string; mode: "embedded" | "external" }>;

export type TestOptions = Readonly<{
  /** Where a test email goes; without it none is sent. */
  sendTo?: string | undefined;
}>;

export type Component = Readonly<{
  /** Undefined while nothing is set up. */
  inUse(services: Payments): Promise<InUse | undefined> | InUse | undefined;
  /** A test that takes longer counts as slow. Milliseconds. */
  slowMs: number;
  /** What to check when the test fails for a reason of its own, or of the network. */
  check(services: Payments): string;
  /** Where the component is reached, for a failure of the network. */
  address(services: Payments): string;
  /** Tries the component and returns what was done, for the admin. Changes nothing that lasts. Throws what went wrong. */
  test(services: Payments, options: TestOptions): Promise<string>;
}>;
