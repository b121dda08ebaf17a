-- A promoter whose settings ask for no signature accepts the same document by a click.
alter table contract_signers drop constraint contract_signers_method_check;
alter table contract_signers add constraint contract_signers_method_check
  check (method in ('typed', 'drawn', 'attested', 'recorded', 'provider', 'clicked'));
