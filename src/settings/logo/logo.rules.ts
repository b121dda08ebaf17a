export const brandBucket = "brand";
const served = `/storage/${brandBucket}/`;
const logoName = /^logo_\d{1,16}_[0-9a-f]{8}\.png$/;

export const isLogoFile = (file: string): boolean => logoName.test(file);

export const pathOfLogo = (file: string): string => `${served}${file}`;

/** Returns the file of a logo's address, with or without the site's own origin. Undefined for another picture. */
export function logoFileOf(address: string): string | undefined {
  const path = URL.canParse(address) ? new URL(address).pathname : address;
  const file = path.startsWith(served) ? path.slice(served.length) : "";
  return isLogoFile(file) ? file : undefined;
}
