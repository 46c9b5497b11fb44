-- One authentication of a cardholder by the card's bank (3-D Secure), for one card that was entered. Its id is
-- what the directory server knows it by. It does not reference its payment: a reference would wait for whoever
-- is changing the payment, and the card is put on that only when the bank has answered.
create table authentications (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  status text not null check (status in ('started', 'fingerprinted', 'asking', 'challenged', 'authenticated',
    'unauthenticated', 'failed', 'abandoned', 'timed_out', 'errored')),
  -- What the form is mounted for.
  payment_table text not null check (payment_table in ('payment_demands', 'payment_subscriptions')),
  payment_id uuid not null,
  -- Null until the card is entered whole: the bank's page looks at the browser before that.
  card_pan_token text,
  -- First six digits.
  card_bin text,
  amount_cents bigint,
  amount_currency text,
  payer_timezone text,
  threeds_policy text check (threeds_policy in ('required', 'when_available', 'off')),
  payment_method_id uuid,
  -- The bank's page that the browser is to open: of its method, and later of its challenge.
  bank_url text,
  threeds_version text,
  threeds_status text,
  threeds_cryptogram text,
  eci text,
  directory_transaction_eid text,
  acs_transaction_eid text,
  -- Why the card cannot pay.
  failure_code text,
  -- When the card was put on its payment.
  attached_at timestamptz,
  -- When the bank was asked.
  asked_at timestamptz,
  -- When it ends by itself.
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_method_id) references payment_methods (merchant_id, id)
);
-- A card that is sent again because no answer came is the same attempt.
create unique index authentications_card on authentications (merchant_id, card_pan_token)
  where card_pan_token is not null;
-- Of several tabs with a form for one payment the latest counts.
create unique index authentications_open on authentications (merchant_id, payment_id)
  where status in ('asking', 'challenged');
create index authentications_payment on authentications (merchant_id, payment_id, asked_at);
create index authentications_method on authentications (merchant_id, payment_method_id)
  where payment_method_id is not null;
create index authentications_due on authentications (due_at) where due_at is not null;
create trigger authentications_transition before update on authentications
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('started>fingerprinted', 'started>asking', 'started>abandoned',
    'fingerprinted>asking', 'fingerprinted>abandoned', 'asking>authenticated', 'asking>unauthenticated',
    'asking>failed', 'asking>challenged', 'asking>abandoned', 'asking>errored', 'challenged>authenticated',
    'challenged>failed', 'challenged>abandoned', 'challenged>timed_out', 'challenged>errored');
