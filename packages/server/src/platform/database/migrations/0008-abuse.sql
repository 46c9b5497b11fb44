-- Origins whose pages may mount a publishable key's form: a JSON array of texts.
alter table merchant_tokens add column origins jsonb not null default '[]';

-- Cards that were tried, counted for whoever or whatever tried them until the window ends. A subject is a keyed
-- hash, so that neither addresses nor cards can be read here. It belongs to no merchant: an address may try cards
-- at several.
create table card_tries (
  subject text not null primary key,
  tries integer not null,
  expires_at timestamptz not null
);
create index card_tries_expires on card_tries (expires_at);

-- The form in which the card was entered, and how that form names the attempt.
alter table authentications add column mount_nonce text;
alter table authentications add column attempt text;
-- An attempt is begun or abandoned, whichever comes first.
create unique index authentications_attempt on authentications (merchant_id, mount_nonce, attempt)
  where attempt is not null;
-- What is left of the cardholder where a card was not put on its payment.
create index authentications_personal on authentications (updated_at)
  where (payer_timezone is not null or threeds_cryptogram is not null)
    and status in ('authenticated', 'unauthenticated', 'failed', 'abandoned', 'timed_out', 'errored');
create index authentications_cardless on authentications (created_at)
  where card_pan_token is null and status in ('abandoned', 'errored');
create index authentications_old on authentications (created_at);
