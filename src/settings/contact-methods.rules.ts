export const contactMethods = ["email", "phone", "platform"] as const;
