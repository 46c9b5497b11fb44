-- Keys of before have no creator: the audit log does not say for all of them who made them.
alter table merchant_tokens add column creator_id uuid;
alter table merchant_tokens add foreign key (merchant_id, creator_id) references memberships (merchant_id, id);
