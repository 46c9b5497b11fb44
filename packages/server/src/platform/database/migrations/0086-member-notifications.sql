-- Changes that members are notified of, written with the change. The worker gives each to the members who may see its
-- record, and deletes the row in the same transaction. Without foreign keys: a removed record notifies nobody.
create table notifiable_changes (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  kind text not null,
  record_id uuid not null,
  due_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  primary key (merchant_id, id)
);
create index notifiable_changes_due_at on notifiable_changes (due_at);
-- One pending notification of a kind about a record: the worker reads the record as it is then.
create unique index notifiable_changes_once on notifiable_changes (merchant_id, mode, kind, record_id);

-- Notifications in the dashboard. A membership gets each change once.
create table member_notifications (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  membership_id uuid not null,
  change_id uuid not null,
  kind text not null,
  record_id uuid not null,
  facts jsonb not null,
  -- Later changes that this row stands for, beyond the limit per hour.
  more_count integer not null default 0 check (more_count >= 0),
  read_at timestamp with time zone,
  created_at timestamp with time zone not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, membership_id) references memberships (merchant_id, id) on delete cascade
);
create unique index member_notifications_once on member_notifications (merchant_id, membership_id, change_id);
create index member_notifications_latest
  on member_notifications (merchant_id, membership_id, mode, created_at desc, id desc);
create index member_notifications_unread
  on member_notifications (merchant_id, membership_id, mode) where read_at is null;
create index member_notifications_created_at on member_notifications (created_at);

-- What a member has switched on or off. Without a row the default applies.
create table notification_choices (
  merchant_id uuid not null,
  membership_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  kind text not null,
  channel text not null check (channel in ('app', 'email')),
  is_on boolean not null,
  updated_at timestamp with time zone not null,
  primary key (merchant_id, membership_id, mode, kind, channel),
  foreign key (merchant_id, membership_id) references memberships (merchant_id, id) on delete cascade
);
