import { payoutsRoutes } from "#payouts/index.ts";
import { refusedRefundsRoutes } from "./refunds/refused-refunds.routes.ts";
import { lockChargesLeft } from "./stores/refunds.store.ts";

export const paymentsRoutes = { refusedRefunds: refusedRefundsRoutes, payouts: payoutsRoutes(lockChargesLeft) };
