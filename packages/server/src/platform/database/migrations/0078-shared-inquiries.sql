-- Inquiries about attempts are shared between merchants: each merchant's oldest due attempts are found by this index.
-- An installation with large tables creates it beforehand: see the upgrade page.
create index if not exists attempts_due_of on attempts (merchant_id, due_at) where due_at is not null;
drop index attempts_due;
