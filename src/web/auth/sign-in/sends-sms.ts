export async function sendsSms(): Promise<boolean> {
  try {
    const response = await fetch("/auth/v1/settings");
    const settings: unknown = await response.json();
    return typeof settings === "object" && settings !== null && Reflect.get(settings, "sms_provider") === "sms";
  } catch (error) {
    console.warn("The account service's settings could not be read.", error);
    return false;
  }
}
