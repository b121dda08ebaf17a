import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, press, renderInMantine } from "../dashboard/test-providers.tsx";
import PromoterPaymentsPage from "./payments-page.tsx";

const refetch = vi.fn();
let error: Error | null = null;
let data: object | undefined;
vi.mock("../lib/api/own-payments.ts", () => ({
  usePromoterPayments: () => ({ error, data, isFetching: false, isPlaceholderData: false, refetch }),
}));

beforeEach(() => {
  [error, data] = [null, { items: [], total: 0, capped: false, sums: [] }];
  refetch.mockReset();
});

test("without payments the specification's words stand there", () => {
  renderInMantine(<PromoterPaymentsPage />);
  expect(screen.getByRole("heading", { name: "No payments yet" })).toBeTruthy();
});

test("a failure is no empty list, and can be retried", () => {
  [error, data] = [apiError("unavailable", "The database cannot be reached.", 503), undefined];
  renderInMantine(<PromoterPaymentsPage />);
  expect(screen.queryByText("No payments yet")).toBeNull();
  press("Retry");
  expect(refetch).toHaveBeenCalledOnce();
});
