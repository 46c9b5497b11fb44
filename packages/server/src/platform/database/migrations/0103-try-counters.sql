-- Hashed counters of the form in which a card was entered, so that a decline of its charge counts when it happens. Cleared
-- after a day.
alter table authentications add column try_counters text;
create index authentications_counted on authentications (asked_at) where try_counters is not null;
