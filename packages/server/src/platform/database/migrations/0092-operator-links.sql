-- Links that invite operators. Little is stored in the table, so the check is quick.
alter table account_links drop constraint account_links_purpose_check;
alter table account_links add constraint account_links_purpose_check
  check (purpose in ('verify_email', 'reset_password', 'invitation', 'change_email', 'operator'));
