import type { HTTPMethod, HTTPPath } from "@orpc/client";
import { oc } from "@orpc/contract";
import { z } from "zod";

/** The required role. `booking-key`: public, but the handler requires a booking cookie, a session or a pay link. */
export type Access = "public" | "booking-key" | "signed-in" | "admin" | "artist" | "promoter";

export type EndpointMeta = {
  access: Access;
  /** True if all callers get the same response for the same URL until the database changes. */
  cacheable?: boolean;
  /** True if a response may be a few seconds old, from a replica. Implied by `cacheable`. Never for money or a checkout. */
  replica?: boolean;
  /** True, or true for the unchecked input, if it requires an authentication of the last five minutes. In demo mode it does not: nothing of value is behind it. */
  recent?: boolean | ((input: unknown) => boolean);
  /** True for a demo tool. Outside demo mode the address does not exist (404). */
  demoOnly?: boolean;
};

type Address = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

/** Declares the endpoints of one section of the API's documentation: `endpoint("promoter", "POST /holds", "placeHold")`. The third value is the operationId. */
export const endpointsOf =
  (tag: string) =>
  (access: Access, address: Address, operationId: string, more: Omit<EndpointMeta, "access"> = {}) => {
    const [method, path] = address.split(" ") as [HTTPMethod, HTTPPath];
    return oc
      .$meta<EndpointMeta>({ access: "admin" })
      .meta({ access, ...more })
      .route({ method, path, operationId, tags: [tag] });
  };

/** A page of a list with an opaque cursor. The cursor is null at the end. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

export const cursorInput = z.string().max(400).optional().describe("The `nextCursor` of the page before");

export const limitInput = z.coerce.number().int().min(1).max(100).default(24).describe("Rows of a page");
