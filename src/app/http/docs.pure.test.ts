import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorCodes } from "./api-reference.ts";
import { openApiDocument } from "./docs.ts";

type Operation = { summary?: string; security?: object[]; requestBody?: object; responses: Record<string, object> };
type Document = { paths: Record<string, Record<string, Operation>>; components: { responses: object } };

test("the API's documentation has the errors of each operation, and who may call it", async () => {
  const { paths, components } = (await openApiDocument()) as Document;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  expect(operations.length).toBeGreaterThan(180);
  for (const { summary, requestBody, responses } of operations) {
    const body = requestBody ? ["413", "415"] : [];
    expect(Object.keys(responses), summary).toEqual(
      expect.arrayContaining(["400", "401", ...body, "429", "500", "503"]),
    );
    for (const status of Object.keys(responses).filter((one) => one >= "400"))
      expect(components.responses).toHaveProperty(`Error${status}`);
  }
  expect(paths["/admin/users"]?.["get"]?.security).toEqual([{ bearer: [] }]);
  expect(paths["/bookings/{id}/cancellation"]?.["get"]?.responses).toHaveProperty("409");
  expect(paths["/bookings/{id}/calendar"]?.["get"]?.responses["200"]).toHaveProperty(["content", "text/calendar"]);
  expect(paths["/bookings"]?.["post"]?.security).toBeUndefined();
});

const namedCode = /(?:new Problem|conflict|invalid)\((?:(?!new Problem)[^;]){0,400}?\bcode: "(\w+)"/g;

test("the API's documentation explains every code of an error", () => {
  const files = globSync("src/**/*.ts").filter((file) => !/\.test\.ts$|^src\/web\//.test(file));
  const codes = files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(namedCode)].map(([, code]) => code));
  expect(codes).toEqual(expect.arrayContaining(["PGRST116", "claim_needed", "not_a_party", "link_ended"]));
  expect(codes.filter((code) => !Object.hasOwn(errorCodes, code ?? ""))).toEqual([]);
});
