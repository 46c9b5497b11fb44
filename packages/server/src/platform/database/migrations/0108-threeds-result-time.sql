-- Time of the last signed delivery of a challenge's result. A delivery that is not later was seen before.
alter table authentications add column result_sent_at timestamptz;
