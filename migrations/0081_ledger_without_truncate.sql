-- Row triggers do not see TRUNCATE, so the ledger's owner could have emptied it in one statement.
create trigger ledger_groups_kept before truncate on ledger_groups for each statement execute function ledger_is_append_only();
create trigger ledger_entries_kept before truncate on ledger_entries for each statement execute function ledger_is_append_only();
