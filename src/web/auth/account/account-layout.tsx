import { roles } from "#users/rules.ts";
import { Area } from "../../areas/area.tsx";

/** /account: for everybody who is signed in, inside the area of their role. */
export default function AccountLayout() {
  return <Area roles={roles} />;
}
