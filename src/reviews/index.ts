export { inviteReviews, notifyReviewChanged, notifyReviewsPublished } from "./emails.ts";
export { reviewsJobs } from "./jobs.ts";
export { reviewsRoutes } from "./routes.ts";
export { insertSeedReviews, type ReviewHistory } from "./seed-import.ts";
export { attachReviews } from "./store.ts";
