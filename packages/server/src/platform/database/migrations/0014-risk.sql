-- What a merchant takes no payments from, or trusts. What is compared is `subject`: of a card its fingerprint.
create table risk_list_entries (
  merchant_id uuid not null references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  list text not null check (list in ('block', 'allow')),
  kind text not null check (kind in ('card', 'email', 'email_domain', 'bin', 'country')),
  value text,
  subject text not null,
  description text,
  payment_method_id uuid,
  removed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_method_id) references payment_methods (merchant_id, id),
  check ((value is null) = (kind = 'card') and (payment_method_id is not null) = (kind = 'card'))
);
create index risk_list_entries_subject on risk_list_entries (merchant_id, mode, kind, subject)
  where removed_at is null;

-- How much may happen in a while before payments are refused.
create table velocity_limits (
  merchant_id uuid not null references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  kind text not null check (kind in ('card_declines', 'card_amount', 'payer_cards', 'merchant_declines')),
  window_seconds bigint not null check (window_seconds between 60 and 86400),
  max_count bigint not null check (max_count > 0),
  amount_currency text,
  removed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  check ((amount_currency is not null) = (kind = 'card_amount'))
);

-- What limits of velocity count: authorisations by card and by payer.
alter table attempts
  add column card_fingerprint text,
  add column payer_id uuid;
create index attempts_card on attempts (merchant_id, card_fingerprint, created_at)
  where card_fingerprint is not null;
create index attempts_payer on attempts (merchant_id, payer_id, created_at) where payer_id is not null;
create index attempts_declined on attempts (merchant_id, mode, created_at)
  where operation = 'authorise' and status = 'declined';

-- The rule that decided about a payment when it was last to be sent.
alter table payment_demands add column risk_outcome jsonb;

-- Amounts that a merchant takes, where that is not all that the platform takes.
alter table merchants add column amount_limits jsonb;
