/** For component tests of guarded pages: the kit, a router, kept answers, and what jsdom lacks for them. */
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { createRoutesStub } from "react-router";
import { vi } from "vitest";

/** Draws a part of a page as an area would. */
export function renderInMantine(element: ReactElement) {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const Stub = createRoutesStub([{ path: "*", Component: () => element }]);
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
        <Stub />
      </MantineProvider>
    </QueryClientProvider>,
  );
}

/** A refusal of the server as the client throws it. */
export const refusal = (code: string, message: string, status = 403) =>
  Object.assign(new Error(message), { status, code, data: { code, message } });

export const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
