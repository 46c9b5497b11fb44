-- Where a URL leads to, however it is written: the case of scheme and host, the port that goes without saying, the dot at
-- the end of a name, and no path at all make no difference.
create function webhook_address(url text) returns text
language sql immutable strict parallel safe as $$
  select coalesce((
    select lower(part[1]) || '://'
      || regexp_replace(
        regexp_replace(lower(part[2]), '\.?(:[0-9]*)?$', '\1'),
        case lower(part[1]) when 'https' then ':(0*443)?$' else ':(0*80)?$' end, '')
      || case when left(part[3], 1) = '/' then '' else '/' end || part[3]
    from regexp_match(url, '^(https?)://([^/?#\\]*)(.*)$', 'i') part), url)
$$;

-- Of those to one address one stays: one that is active where there is one, the newest.
update webhook_subscriptions s set status = 'archived', archived_at = now(), updated_at = now()
  where status <> 'archived' and exists (select 1 from webhook_subscriptions o
    where o.merchant_id = s.merchant_id and o.mode = s.mode and o.status <> 'archived'
      and webhook_address(o.url) = webhook_address(s.url) and text_set(o.events) = text_set(s.events)
      and (o.status = 'active', o.id) > (s.status = 'active', s.id));
drop index webhook_subscriptions_one;
create unique index webhook_subscriptions_one
  on webhook_subscriptions (merchant_id, mode, md5(webhook_address(url) || ' ' || text_set(events)))
  where status <> 'archived';
