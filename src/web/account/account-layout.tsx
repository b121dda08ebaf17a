import { roles } from "#users/rules.ts";
import { Area } from "../dashboard/shell/dashboard-layout.tsx";

/** /account: for everybody who is signed in, inside the area of their role. */
export default function AccountLayout() {
  return <Area roles={roles} />;
}
