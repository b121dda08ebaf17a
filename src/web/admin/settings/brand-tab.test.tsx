import { fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { apiError, renderInMantine } from "../../dashboard/test-providers.tsx";
import { currentToasts } from "../../lib/toasts.ts";
import { LogoField } from "./brand-tab.tsx";
import type { PlatformForm } from "./settings-page.tsx";

const uploadFile = vi.hoisted(() => vi.fn());
vi.mock("../../lib/upload/upload-file.ts", () => ({ uploadFile }));

const set = vi.fn();
const form = (logo: string) =>
  ({ textOf: () => logo, field: () => ({ value: logo, onChange: vi.fn() }), set }) as unknown as PlatformForm;

beforeEach(() => {
  uploadFile.mockReset();
  set.mockReset();
});

const choose = (file: File) => fireEvent.change(screen.getByLabelText("Upload a logo"), { target: { files: [file] } });
const png = (name: string, type = "image/png") => new File(["x"], name, { type });

test("uploads a chosen image with its progress, and writes its address into the form", async () => {
  let finish = (_stored: { url: string }) => undefined as void;
  uploadFile.mockImplementation((_address: string, _file: File, onProgress: (part: number) => void) => {
    onProgress(0.4);
    return new Promise((resolve) => (finish = resolve));
  });
  renderInMantine(<LogoField form={form("")} shown="" />);
  choose(png("mark.png"));
  expect(await screen.findByText("40% of mark.png")).toBeTruthy();
  expect(screen.getByText("mark.png")).toBeTruthy();
  finish({ url: "/storage/brand/logo_1_00000000.png" });
  await waitFor(() => expect(set).toHaveBeenCalledWith("logoUrl", "/storage/brand/logo_1_00000000.png"));
  expect(uploadFile.mock.calls[0]?.[0]).toBe("/api/admin/settings/logo");
  expect(currentToasts().at(-1)?.text).toBe("Save to publish it.");
});

test("rejects an SVG before sending, and shows the server's error", async () => {
  renderInMantine(<LogoField form={form("")} shown="" />);
  choose(png("mark.svg", "image/svg+xml"));
  expect((await screen.findByRole("alert")).textContent).toBe("mark.svg: Choose a JPEG, PNG, WebP or AVIF picture.");
  expect(uploadFile).not.toHaveBeenCalled();
  uploadFile.mockRejectedValue(apiError("unsupported", "This file holds something else beside the picture.", 415));
  choose(png("mark.png"));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(/^mark\.png: .*something else/));
  expect(set).not.toHaveBeenCalled();
});

test("restores the product's logo with a button", () => {
  renderInMantine(<LogoField form={form("https://elsewhere.example/logo.png")} shown="" />);
  fireEvent.click(screen.getByRole("button", { name: "Back to the Stagedoor mark" }));
  expect(set).toHaveBeenCalledWith("logoUrl", "");
});

test("reports a logo that cannot be loaded, until another address is typed", () => {
  const [bad, good] = ["https://elsewhere.example/nothing.png", "https://elsewhere.example/logo.png"];
  const Typed = () => {
    const [address, setAddress] = useState(bad);
    return (
      <>
        <LogoField form={form(address)} shown={address} />
        <button onClick={() => setAddress(good)}>Type another</button>
      </>
    );
  };
  const field = renderInMantine(<Typed />);
  expect(screen.queryByRole("alert")).toBeNull();
  const picture = () => field.container.querySelector("img");
  fireEvent.error(picture() ?? document);
  expect(screen.getByRole("alert").textContent).toMatch(/^We could not load this picture/);
  fireEvent.click(screen.getByRole("button", { name: "Type another" }));
  expect(picture()?.getAttribute("src")).toBe(good);
  expect(screen.queryByRole("alert")).toBeNull();
});
