-- Apart from 0106: reading the table takes no lock that others wait for.
alter table audit_entries validate constraint audit_entries_actor_check;
