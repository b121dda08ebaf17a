import type { User } from "@supabase/auth-js";
import { beforeEach, vi } from "vitest";
import type { ActiveSession } from "../lib/api/account.ts";
import { currentToasts } from "../lib/toasts.ts";

const auth = vi.hoisted(() => ({
  updateUser: vi.fn(),
  resend: vi.fn(),
  verifyOtp: vi.fn(),
  reauthenticate: vi.fn(),
  signOut: vi.fn(),
  mfa: {
    enroll: vi.fn(),
    unenroll: vi.fn(),
    challengeAndVerify: vi.fn(),
    recoveryCodes: { generate: vi.fn(), regenerate: vi.fn(), getStatus: vi.fn() },
  },
}));
const server = vi.hoisted(() => ({
  readMyData: vi.fn(),
  deleteAccount: vi.fn(),
  reauthenticate: vi.fn(),
  endSession: vi.fn(),
  becomeFirstAdmin: vi.fn(),
  refetch: vi.fn(),
  signOut: vi.fn(),
}));
export const found: {
  me: object;
  obstacle: "open_bookings" | null;
  sessions: { data?: { items: ActiveSession[] } | undefined; error: Error | null };
} = { me: {}, obstacle: null, sessions: { error: null } };
vi.mock("../lib/auth/session.ts", () => ({ authClient: async () => auth, signOut: server.signOut }));
vi.mock("../lib/api/current-user.ts", () => ({ useCurrentUser: () => ({ phase: "known", me: found.me }) }));
vi.mock("../lib/api/query.ts", () => ({ orpc: { users: { me: { key: () => ["me"] } } } }));
vi.mock("../lib/api/users.ts", () => ({
  useBecomeFirstAdmin: () => ({ isPending: false, mutateAsync: server.becomeFirstAdmin }),
}));
vi.mock("../lib/api/account.ts", () => ({
  useExport: () => ({ mutateAsync: server.readMyData }),
  reauthenticate: server.reauthenticate,
  useDeleteAccount: () => ({ isPending: false, mutateAsync: server.deleteAccount }),
  // As when the user comes back from the tab with the email.
  useDeletionObstacle: () => ({ data: { obstacle: found.obstacle }, isPending: false, isFetching: true }),
  useActiveSessions: () => ({ ...found.sessions, refetch: server.refetch }),
  useEndSession: () => ({ isPending: false, mutateAsync: server.endSession }),
}));

export { auth, server };

export const ok = { error: null };
export const currentUser = { name: "Ines", email: "ines@example.org", role: "promoter", hasPassword: true };
export const user = { email: "ines@example.org", phone: "", user_metadata: { name: "Ines" } } as unknown as User;
export const lastToast = () => currentToasts().at(-1);

beforeEach(() => {
  vi.resetAllMocks();
  Object.assign(found, { me: currentUser, obstacle: null, sessions: { error: null } });
});
