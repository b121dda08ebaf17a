import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { AttestedContract } from "./attested-contract.tsx";

const attestation = {
  reason: "Signed on paper at the venue.",
  by: "Kim Ash",
  at: "2026-11-21T12:00:00Z",
  paper: null,
  objection_end: "2026-11-24T12:00:00Z",
  objections: [],
  can_object: true,
  withdrawal: "signed_again" as const,
};

test.each([
  ["promoter", "You can cancel only after that, by the cancellation terms of that day."],
  ["artist", "The promoter can still cancel."],
] as const)("tells the %s what an objection means for canceling", (viewer, text) => {
  render(<AttestedContract booking={{ id: "1", viewer }} contract={{ id: "2", attestation }} onChanged={() => {}} />);
  expect(screen.getByText(text, { exact: false })).toBeTruthy();
});
