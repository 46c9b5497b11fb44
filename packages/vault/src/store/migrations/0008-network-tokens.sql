-- Numbers that a merchant's own token service gave, which processors take with another cryptogram.
alter table vault.cards add network_token boolean not null default false;
