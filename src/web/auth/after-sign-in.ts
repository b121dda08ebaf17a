import type { User } from "@supabase/auth-js";
import { useNavigate } from "react-router";
import { paths } from "#platform/site-paths.rules.ts";
import { consumeRememberedRoute } from "../lib/auth/remembered-route.ts";
import { toast } from "../lib/toasts.ts";

export type SignedIn = Pick<User, "factors" | "app_metadata">;

export const needsSecondFactor = (user: Pick<User, "factors">): boolean =>
  user.factors?.some((factor) => factor.status === "verified") ?? false;

export const pageAfterSignIn = (otherwise: string = paths.home): string => consumeRememberedRoute() ?? otherwise;

export function useWelcome(): (to: string) => Promise<void> {
  const navigate = useNavigate();
  return async (to) => {
    toast({ title: "Welcome!", text: "You have been signed in successfully." });
    await navigate(to, { replace: true });
  };
}

export function useAfterSignIn(): (user: SignedIn, otherwise?: string) => Promise<void> {
  const navigate = useNavigate();
  const welcome = useWelcome();
  return async (user, otherwise) => {
    if (needsSecondFactor(user)) return navigate(paths.code);
    const hasPassword: unknown = user.app_metadata["has_password"];
    await welcome(hasPassword === false ? paths.resetPassword : pageAfterSignIn(otherwise));
  };
}
