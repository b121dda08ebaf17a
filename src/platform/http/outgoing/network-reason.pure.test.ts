import { expect, test } from "vitest";
import { networkReason } from "./network-reason.ts";

test("names the certificate that a mail relay was refused for", () => {
  for (const message of ["self-signed certificate", "certificate has expired"])
    expect(networkReason(Object.assign(new Error(message), { code: "ESOCKET" }))).toBe(
      "its certificate is not accepted",
    );
});
