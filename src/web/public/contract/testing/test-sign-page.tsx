import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { beforeEach, vi } from "vitest";
import { paths } from "#platform/site-paths.rules.ts";
import SignPage, { clientLoader } from "../sign-page.tsx";
import type { ContractResponse } from "../use-signing.ts";
import { contract } from "./test-contract.ts";

const calls = vi.hoisted(() => ({
  openContract: vi.fn(),
  signContract: vi.fn(),
  acceptContract: vi.fn(),
  declineContract: vi.fn(),
  sendSigningCode: vi.fn(),
}));
vi.mock("../../../lib/api/browser-api.ts", () => ({ browserApi: { bookings: { contract: calls } } }));
vi.mock("../../../lib/auth/session.ts", () => ({ startSession: async () => undefined }));
const toasts = vi.hoisted(() => ({ toast: vi.fn(), closeErrors: vi.fn() }));
vi.mock("../../../lib/toasts.ts", () => toasts);

export { calls, toasts };

export const key = "Zk3vYw9sT1q0rX8uP5nM7cB2hD4fG6jL";
export const signedBy = (...sides: string[]): ContractResponse["signers"] =>
  contract.signers.map((signer) =>
    sides.includes(signer.side) ? { ...signer, signed_at: "2026-11-22T10:00:00.000Z" } : signer,
  );
export const apiError = (status: number, message: string, fields?: readonly { field: string; message: string }[]) =>
  Object.assign(new Error(message), {
    status,
    code: "x",
    data: { code: "x", message, requestId: "r-1", data: fields && { fields } },
  });

export const observers: { seen: IntersectionObserverCallback; targets: Element[] }[] = [];
export const see = (selector: string, isIntersecting = true) => {
  const target = document.querySelector(selector);
  if (!target) throw new Error(`the page has no ${selector}`);
  const entry = { target, isIntersecting } as unknown as IntersectionObserverEntry;
  act(() => {
    for (const { seen, targets } of observers)
      if (targets.includes(target)) seen([entry], undefined as unknown as IntersectionObserver);
  });
};

beforeEach(() => {
  vi.resetAllMocks();
  observers.length = 0;
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      readonly #own: (typeof observers)[number];
      constructor(seen: IntersectionObserverCallback) {
        this.#own = { seen, targets: [] };
        observers.push(this.#own);
      }
      observe(target: Element) {
        this.#own.targets.push(target);
      }
      disconnect() {
        this.#own.targets.length = 0;
      }
    },
  );
  window.scrollTo = vi.fn();
  Element.prototype.setPointerCapture = vi.fn();
});

export const open = (given: Partial<ContractResponse> = {}) => {
  calls.openContract.mockResolvedValue({ ...contract, ...given });
  show();
};
type Rendered = ReturnType<typeof clientLoader>;
const pageWith = (rendered: Rendered) =>
  createRoutesStub([
    { id: "page", path: "/sign/:key", Component: SignPage, HydrateFallback: () => null, loader: () => rendered },
  ]);
export function show(rendered = clientLoader()) {
  const Page = pageWith(rendered);
  render(<Page initialEntries={[paths.sign(key)]} />);
}
export function htmlOf(rendered: Rendered): string {
  const Page = pageWith(rendered);
  return renderToString(<Page initialEntries={[paths.sign(key)]} hydrationData={{ loaderData: { page: rendered } }} />);
}
export const form = () => screen.findByRole("form", { name: "Your signature" });
export const sign = () => screen.getByRole("button", { name: "Sign contract" });

export const signedResponse = (...sides: string[]): ContractResponse => ({
  ...contract,
  can_sign: false,
  signers: signedBy(...sides),
});

export async function consentAndSign(): Promise<void> {
  await userEvent.click(screen.getByRole("checkbox"));
  await userEvent.click(sign());
}

export async function declineWith(reason: string): Promise<void> {
  await userEvent.type(screen.getByLabelText("What should change?"), reason);
  await userEvent.click(screen.getByRole("button", { name: "Decline contract" }));
}
