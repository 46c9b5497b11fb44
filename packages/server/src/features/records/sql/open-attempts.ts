/** SQL: attempts without an outcome. Each part has an index of its own; a single condition would read all attempts. */
export const OPEN_ATTEMPTS = `(select * from attempts where status in ('unknown', 'reversing')
  union all select * from attempts where status = 'sending' and abandoned_at is null
  union all select * from attempts where status = 'sending' and abandoned_at is not null and due_at is not null)`;
