-- Names that end in newest are those of types of the interface.
alter index processor_reports_newest rename to processor_reports_account;
