-- Search of the dashboard: see ADR 75. An installation with large tables creates functions and indexes beforehand: see
-- the upgrade page.

-- Text without capitals and accents, the same with every locale of the database: an index must not change with the
-- operating system. Letters that have no decomposition, and capitals of Greek and Cyrillic, are listed.
create or replace function search_folded(value text) returns text
  language sql immutable parallel safe
  return case when octet_length(value) = length(value) then lower(value collate "C") else
    translate(regexp_replace(lower(normalize(value, nfd) collate "C"), '[\u0300-\u036f]', '', 'g'),
      'øØłŁđĐßıАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς',
      'oollddsiабвгдежзийклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρστυφχψωσ') end;

-- Numbers of all three consecutive bytes of the words of a folded text. Each has bits of the merchant and of the mode, so
-- that an index search reads nothing of others. Different texts may have equal numbers: queries compare the text too.
-- Only functions of pg_catalog are called, because a restore runs without a search path. Not parallel safe: a search
-- would wait longer for its workers than it runs.
create or replace function search_keys(merchant uuid, mode text, folded text) returns bigint[]
  language plpgsql immutable strict as $$
declare
  bytes constant bytea := convert_to(folded, 'UTF8');
  scope constant bigint := (('x' || right(merchant::text, 8))::bit(32)::bigint << 25)
    + case mode when 'live' then 16777216 else 0 end;
  keys bigint[] := '{}';
  trigram integer := 0;
  length integer := 0;
  byte integer;
begin
  for place in 0 .. octet_length(folded) - 1 loop
    byte := get_byte(bytes, place);
    if byte = 32 then
      length := 0;
    else
      trigram := (trigram << 8 | byte) & 16777215;
      length := length + 1;
      if length > 2 then keys := keys || (scope + trigram); end if;
    end if;
  end loop;
  return keys;
end $$;

-- New entries wait in a list until it has 256 kB. A smaller list costs more, a larger one delays the payment that ends it.
create index if not exists customers_search on customers using gin
  (search_keys(merchant_id, mode, search_folded(email || ' ' || coalesce(name, '') || ' ' || coalesce(phone_number, ''))))
  with (gin_pending_list_limit = 256);
create index if not exists payment_links_search on payment_links using gin
  (search_keys(merchant_id, mode, search_folded(title || ' ' || purchase_reference)));
create index if not exists payment_subscriptions_search on payment_subscriptions using gin
  (search_keys(merchant_id, mode, search_folded(purchase_reference))) where purchase_reference is not null;
-- A payment enters the index once, with its outcome.
create index if not exists payment_demands_search on payment_demands using gin
  (search_keys(merchant_id, mode, search_folded(purchase_reference))) with (gin_pending_list_limit = 256)
  where purchase_reference is not null and status not in ('incomplete', 'ready', 'pending', 'processing');
