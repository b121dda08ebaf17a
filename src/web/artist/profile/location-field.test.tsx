import { fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { renderInMantine } from "../../dashboard/test-providers.tsx";
import type { Location } from "../../lib/api/artist/own-profile.ts";
import { LocationField } from "./location-field.tsx";

const oakland = { id: 1, name: "Oakland, California" };
let places: { data?: { items: object[] }; error?: Error };
vi.mock("../../lib/api/artist/own-profile.ts", () => ({ usePlaces: () => places }));

function show(): ReturnType<typeof vi.fn<(text: string, location: Location | null) => void>> {
  const onChange = vi.fn<(text: string, location: Location | null) => void>();
  function Field() {
    const [text, setText] = useState("");
    const change = (next: string, location: Location | null) => {
      setText(next);
      onChange(next, location);
    };
    return <LocationField text={text} error={undefined} isMoving={false} onChange={change} />;
  }
  renderInMantine(<Field />);
  return onChange;
}

const typeTown = (value: string) => fireEvent.change(screen.getByPlaceholderText("Town"), { target: { value } });

test("recognizes a pasted town whose suggestions arrive later", () => {
  places = { data: { items: [] } };
  const onChange = show();
  typeTown("oakland, california");
  expect(onChange).toHaveBeenLastCalledWith("oakland, california", null);
  places = { data: { items: [oakland] } };
  typeTown("oakland, california ");
  fireEvent.blur(screen.getByPlaceholderText("Town"));
  expect(onChange).toHaveBeenLastCalledWith(oakland.name, oakland);
});

test("keeps a town without a match, and its message, when the field is left", () => {
  places = { data: { items: [] } };
  const onChange = show();
  typeTown("Atlantis");
  fireEvent.blur(screen.getByPlaceholderText("Town"));
  expect(onChange).toHaveBeenCalledTimes(1);
});

test("states that the towns could not be searched", () => {
  places = { error: new Error("away") };
  show();
  expect(screen.getByText(/^Towns could not be found\. The server could not be reached/)).toBeTruthy();
});
