-- A review that was hidden after a report and is shown again stays published. Its reporter reads that it was kept.
update review_reports p set decision = 'kept' from reviews r
where r.id = p.review_id and p.decision = 'hidden' and r.hidden_at is null;
