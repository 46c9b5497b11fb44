-- Functions that name tables find them whatever search path the calling session has.
alter function assert_whole() set search_path from current;
alter function note_discarded_card() set search_path from current;
alter function ledger_stamp() set search_path from current;
alter function refuse_excess_capture() set search_path from current;
