/** How a module declares an endpoint. The browser reads these declarations too. */
import type { HTTPMethod, HTTPPath } from "@orpc/client";
import { oc } from "@orpc/contract";
import { z } from "zod";

/** Who may call an endpoint. `booking-key`: anybody, but the handler asks for a booking cookie, a session or a pay link. */
export type Access = "public" | "booking-key" | "signed-in" | "admin" | "artist" | "promoter";

export type EndpointMeta = {
  access: Access;
  /** True where everybody gets the same response for the same URL until the database changes. */
  cacheable?: boolean;
  /** True where a visitor may read what is a few seconds old, from a replica; implied by `cacheable`. Never for money or a checkout. */
  replica?: boolean;
  /** True where the endpoint is a tool of the demo: elsewhere there is nothing at its address. */
  demoOnly?: boolean;
};

type Address = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

/**
 * Declares the endpoints of one section of the API's documentation. `const endpoint = endpointsOf("holds")` starts each declaration:
 * `endpoint("promoter", "POST /holds", "placeHold").route({ summary: "…" }).input(…).output(…)`. The third value is the operationId.
 */
export const endpointsOf =
  (tag: string) =>
  (access: Access, address: Address, operationId: string, more: Omit<EndpointMeta, "access"> = {}) => {
    const [method, path] = address.split(" ") as [HTTPMethod, HTTPPath];
    return oc
      .$meta<EndpointMeta>({ access: "admin" })
      .meta({ access, ...more })
      .route({ method, path, operationId, tags: [tag] });
  };

/** One page of a list that continues behind an opaque cursor; null at the end. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/** The cursor of a list's next page, as the last answer gave it. */
export const cursorInput = z.string().max(400).optional();

/** How many rows a page holds: 1 to 100, 24 by default. */
export const limitInput = z.coerce.number().int().min(1).max(100).default(24);
