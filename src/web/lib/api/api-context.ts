import type { ContractRouterClient } from "@orpc/contract";
import { createContext } from "react-router";
import type { Api } from "#app/routing/api.ts";

export type ApiClient = ContractRouterClient<Api>;

export const apiContext = createContext<ApiClient>();
