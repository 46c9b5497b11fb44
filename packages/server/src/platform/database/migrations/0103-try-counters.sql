-- Hashed counters of the form in which a card was entered, so that a decline of its charge counts when it happens. Cleared
-- after a day.
alter table authentications add column if not exists try_counters text;
