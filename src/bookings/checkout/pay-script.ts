/**
 * What the payment page does in the browser. Pages keep the access token in memory only, so a fresh tab asks for its
 * session before it posts as the account's owner; everybody else posts the form as it stands.
 */
export const script = `const form = document.getElementById("pay"), say = document.getElementById("say"), button = form.querySelector("button");
let busy = false;
const wait = (on) => {
  busy = on;
  if (on) button.setAttribute("aria-busy", "true");
  else button.removeAttribute("aria-busy");
};
const fail = (text) => {
  say.textContent = text;
  say.dataset.failed = "";
  wait(false);
  new BroadcastChannel("stagedoor-pay").postMessage({ failed: form.dataset.booking });
};
async function asOwner() {
  const answer = await fetch("/auth/v1/token?grant_type=refresh_token", { method: "POST", headers: { "content-type": "application/json", "x-token-mode": "cookie" }, body: JSON.stringify({ refresh_token: "cookie" }) });
  if (!answer.ok) return null;
  const { access_token: token } = await answer.json();
  return fetch("/api/functions/create-checkout", { method: "POST", headers: { "content-type": "application/json", authorization: "Bearer " + token }, body: JSON.stringify({ bookingId: form.dataset.booking, isDeposit: form.dataset.kind === "deposit" }) });
}
async function go() {
  if (busy) return;
  wait(true);
  const signedIn = /(^|; )signed_in=1/.test(document.cookie);
  if (form.elements.namedItem("key") || !signedIn) return form.submit();
  const answer = await asOwner();
  if (!answer || answer.status === 404) return form.submit();
  const body = await answer.json();
  if (answer.ok) location.replace(body.url);
  else fail(body.message);
}
form.addEventListener("submit", (event) => { event.preventDefault(); go().catch(() => fail("The payment page could not be opened. You have not been charged; please try again.")); });
addEventListener("pageshow", (event) => { if (event.persisted) wait(false); });
if (!form.elements.namedItem("key")) form.requestSubmit();
`;
