import { vi } from "vitest";
import type { PaymentGateway } from "#gateway/gateway.ts";

type Lookup = "findTransfers" | "findRefunds" | "findCharges" | "retrieveDispute";

/** Starts `slow` and runs `work` while the answer to its next lookup is held, as if its process had paused. */
export async function duringLookup(
  gateway: PaymentGateway | null,
  name: Lookup,
  slow: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> {
  if (!gateway) throw new Error("the test has no provider");
  const real = gateway[name] as (of: never) => Promise<unknown>;
  const [queried, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = vi.fn(real).mockImplementationOnce(async (of) => {
    const found = await real(of);
    queried.resolve();
    await done.promise;
    return found;
  });
  Object.assign(gateway, { [name]: held });
  const running = slow();
  await queried.promise;
  await work();
  done.resolve();
  await running;
  Object.assign(gateway, { [name]: real });
}
