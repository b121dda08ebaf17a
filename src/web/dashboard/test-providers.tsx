import { MantineProvider } from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { createRoutesStub } from "react-router";
import { vi } from "vitest";
import { theme } from "../ui/mantine/mantine-root.tsx";
import { LeaveConfirmation } from "./dialogs/unsaved-changes.tsx";

export function renderInMantine(element: ReactElement, client = new QueryClient(), address = "/") {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const Page = () => (
    <ModalsProvider>
      {element}
      <LeaveConfirmation />
    </ModalsProvider>
  );
  const Stub = createRoutesStub([{ path: "*", Component: Page }]);
  return render(
    <QueryClientProvider client={client}>
      <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
        <Stub initialEntries={[address]} />
      </MantineProvider>
    </QueryClientProvider>,
  );
}

export const apiError = (code: string, message: string, status = 403) =>
  Object.assign(new Error(message), { status, code, data: { code, message } });

export const fieldError = (field: string, message: string) =>
  Object.assign(apiError("invalid", message, 400), { data: { message, data: { fields: [{ field, message }] } } });

export const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));
