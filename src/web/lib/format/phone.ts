/** Returns "+1 512 555 0100" for a number of North America. Others are returned as entered. */
export const formatPhone = (phone: string): string =>
  phone.replace(/^\+1\D?(\d{3})\D?(\d{3})\D?(\d{4})$/, "+1 $1 $2 $3");
