-- To remove an attempt, the database looks for those that name it as their authorisation: without an index it reads all of the merchant's.
create index attempts_of_authorisation on attempts (merchant_id, authorisation_id) where authorisation_id is not null;
