-- The type `letters` is now `emails`. Keys and members who read the type under its old name read it under both.
-- The old permission stays in the lists for servers of an earlier version, and until the old name ends.
update memberships set permissions = permissions || '["consumer.emails.read"]'
where permissions ? 'consumer.letters.read' and not permissions ? 'consumer.emails.read';
update merchant_tokens set permissions = permissions || '["consumer.emails.read"]'
where permissions ? 'consumer.letters.read' and not permissions ? 'consumer.emails.read';
