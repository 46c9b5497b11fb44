-- The statement that stores attempts now finds their processor's record, once a batch instead of once a row.
-- A server of an earlier version that still runs stores attempts without it: the column may be null.
drop trigger attempts_processor_detail on attempts;
drop function set_processor_detail();
