/** How a promoter likes to be reached. */
export const contactMethods = ["email", "phone", "platform"] as const;
