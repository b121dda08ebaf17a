import { z } from "zod";
import { contractSides, contractStatusNames } from "#contracts/rules.ts";
import { endpointsOf } from "#platform/http/api.ts";
import { listDay, listSearch, numberedPageOf, oneOf, pageNumber } from "#platform/http/list.api.ts";
import { listedArtist, listedBookingPart } from "./payments.api.ts";
import { contractSorts } from "./payments.rules.ts";

const endpoint = endpointsOf("contracts");

/** Filter values besides a status: contracts that can be signed, and those whose booking is canceled. */
const contractStages = ["to_sign", "ended"] as const;

export const contractFilters = {
  search: listSearch.describe("Artist, promoter, venue or booking number"),
  status: oneOf([...contractStatusNames, ...contractStages]).describe("A signed_status, or a stage of the contract"),
  from: listDay.describe("The first day of the last signature, in the platform's time zone"),
  to: listDay.describe("The last day of the last signature, in the platform's time zone"),
};
const filters = z.strictObject(contractFilters);
export type ContractFilters = z.infer<typeof filters>;

/** One contract of the list. An unknown `signed_status` is displayed unchanged. */
export const listedContract = z.object({
  id: z.uuid(),
  signed_status: z.string(),
  provider: z.string(),
  sent_at: z.date().nullable(),
  signed_at: z.date().nullable(),
  created_at: z.date(),
  expires_at: z.date().nullable().describe("Until when a sent contract can be signed"),
  signed_sides: z.array(z.enum(contractSides)),
  ended_at: z.date().nullable().describe("When the booking was canceled; the contract can no longer be signed"),
  end_code: z.string().nullable().describe("Why the booking was canceled"),
  artist: listedArtist,
  booking: listedBookingPart,
  can: z.object({ mark_signed: z.boolean() }),
});
export type ListedContract = z.infer<typeof listedContract>;

export const adminContractsApi = {
  list: endpoint("admin", "GET /admin/contracts", "listAllContracts")
    .route({ summary: "All contracts, newest first unless ordered otherwise" })
    .input(
      z.strictObject({
        ...contractFilters,
        sort: oneOf(contractSorts).describe("A column, ascending or with - descending"),
        page: pageNumber,
      }),
    )
    .output(numberedPageOf(listedContract)),
};
