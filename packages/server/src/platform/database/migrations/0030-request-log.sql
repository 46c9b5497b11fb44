-- Requests of keys, for people who look for a fault. Written beside the requests and lost with a crash: unlogged, so
-- that it is in no write-ahead log, replica or archive.
create unlogged table api_requests (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  method text not null
    check (method in ('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')),
  route text not null,
  path text not null,
  query text,
  status_code bigint not null,
  error_codes jsonb not null,
  duration_ms bigint not null,
  request_id text not null,
  idempotency_key_sent boolean not null,
  user_agent text,
  ip_prefix text,
  request_body jsonb,
  response_body jsonb,
  merchant_token_id uuid not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, merchant_token_id) references merchant_tokens (merchant_id, id)
);
create index api_requests_newest on api_requests (merchant_id, mode, created_at desc, id desc);
create index api_requests_merchant_token on api_requests (merchant_id, merchant_token_id);
create index api_requests_method on api_requests (merchant_id, mode, method);
create index api_requests_route on api_requests (merchant_id, mode, route);
create index api_requests_status_code on api_requests (merchant_id, mode, status_code);
create index api_requests_request_id on api_requests (merchant_id, mode, request_id);
create index api_requests_created_at on api_requests (created_at);

-- Written at most once a minute, so that it is neither a change of the key nor of its version.
alter table merchant_tokens add column last_used_at timestamptz;

-- Sandboxes that are being emptied, or were: one row of a merchant that asked for it.
create table sandbox_resets (
  merchant_id uuid primary key references merchants (id),
  requested_at timestamptz not null,
  removed_count bigint not null default 0,
  -- What still waits for the network's answer goes without it from then on.
  patient_until timestamptz not null,
  due_at timestamptz,
  finished_at timestamptz,
  check ((due_at is null) = (finished_at is not null))
);
create index sandbox_resets_due on sandbox_resets (due_at) where due_at is not null;

-- What is written once is never changed, and goes only with the sandbox of a merchant that empties it.
create or replace function refuse_change() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' and to_jsonb(old) ->> 'mode' = 'sandbox'
    and to_jsonb(old) ->> 'merchant_id' = current_setting('florin.emptied_sandbox', true) then
    return old;
  end if;
  raise exception 'rows of % are never changed', tg_table_name using errcode = 'check_violation';
end $$;
