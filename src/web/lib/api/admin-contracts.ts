/** One contract whole, for admins, and what they do with it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { browserApi } from "./browser-api.ts";
import { orpc } from "./query.ts";
import { uploadFile } from "../upload/upload-file.ts";

const calls = orpc.bookings.contract.admin;

/** A contract with its evidence; dates are ISO strings. */
export type ContractWithEvidence = Awaited<ReturnType<(typeof browserApi)["bookings"]["contract"]["admin"]["read"]>>;

/** The contract; read again on every notification about bookings. */
export const useContract = (id: string) => useQuery(calls.read.queryOptions({ input: { id } }));

/** Sends whoever has not signed a new link. */
export function useSendContractAgain() {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: orpc.bookings.key() });
  return useMutation(calls.sendAgain.mutationOptions({ onSuccess }));
}

/** A paper as the server has stored it. */
export type StoredPaper = Readonly<{ sha256: string; pages: number; bytes: number }>;

/** Stores the signed paper of a contract; until Mark Signed names it, a newer one replaces it. */
export const uploadPaper = (contractId: string, file: File): Promise<StoredPaper> =>
  uploadFile<StoredPaper>(`/api/admin/contracts/${encodeURIComponent(contractId)}/paper`, file, () => undefined);
