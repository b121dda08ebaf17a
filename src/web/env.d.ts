/// <reference types="vite/client" />

declare module "virtual:react-router/server-build" {
  export * from "@react-router/dev/server-build";
}

declare module "virtual:api-contract" {
  import type { AnyContractRouter } from "@orpc/contract";
  const contract: AnyContractRouter;
  export default contract;
}
