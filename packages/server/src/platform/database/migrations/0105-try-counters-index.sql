-- Apart from 0103: the scan for the index must not block reads. An installation with large tables creates it beforehand:
-- see the upgrade page.
create index if not exists authentications_counted on authentications (asked_at) where try_counters is not null;
