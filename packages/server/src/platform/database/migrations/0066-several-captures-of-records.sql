-- Whether an account takes several captures of one authorisation, which its adapter says. The server fills both at its start.
alter table processor_accounts add column several_captures boolean;
alter table processor_details add column several_captures boolean;
