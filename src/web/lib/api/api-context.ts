import type { ContractRouterClient } from "@orpc/contract";
import { createContext } from "react-router";
import type { Api } from "#app/routing/api.ts";

/** A client of the whole API: in process on the server, over HTTP in the browser. */
export type ApiClient = ContractRouterClient<Api>;

export const apiContext = createContext<ApiClient>();
