import { Outlet } from "react-router";
import { apiContext } from "../lib/api/api-context.ts";
import type { Route } from "./+types/step-layout.ts";
import { wallPosters, AuthLayout } from "./auth-layout.tsx";

export const handle = { wall: true };

export async function loader({ context }: Route.LoaderArgs) {
  return { posters: await wallPosters(context.get(apiContext), 1) };
}

export default function StepLayout({ loaderData }: Route.ComponentProps) {
  return (
    <AuthLayout posters={loaderData.posters}>
      <Outlet />
    </AuthLayout>
  );
}
