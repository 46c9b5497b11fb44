-- A repeated notification is proof that the signatures of its account are valid again.
alter table processor_notifications add column repeated_at timestamptz;
create index processor_notifications_repeated on processor_notifications (processor_account_id, repeated_at)
  where repeated_at is not null;
