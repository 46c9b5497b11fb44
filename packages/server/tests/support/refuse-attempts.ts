import { withClient } from '@florin/cli/database/client.ts';

/**
 * Refuses the attempts of captures and refunds, as if each process died before it stored one: they stay due. `url`: login
 * of an administrator.
 */
export const refuseFollowUpAttempts = (url: string): Promise<unknown> =>
  withClient(url, (client) =>
    client.query(`
      create function die_at_attempt() returns trigger language plpgsql as $$ begin raise 'died'; end $$;
      create trigger die before insert on attempts for each row when (new.operation <> 'authorise')
        execute function die_at_attempt()`),
  );

/** Ends the refusal. Refused captures and refunds are deferred, so they become due again. */
export const allowFollowUpAttempts = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    // Each in its own transaction: the lock of the table of attempts would deadlock with the loops.
    await client.query('drop function die_at_attempt cascade');
    for (const table of ['capture_demands', 'refund_demands'])
      await client.query(
        `update ${table} set due_at = statement_timestamp() where due_at is not null`,
      );
  });

/** Refuses the outcomes of captures and refunds, as if each process died after it stored the attempt. */
export const refuseFollowUpOutcomes = (url: string): Promise<unknown> =>
  withClient(url, (client) =>
    client.query(`
      create function die_at_outcome() returns trigger language plpgsql as $$ begin raise 'died'; end $$;
      create trigger die_later before update on attempts for each row
        when (new.operation <> 'authorise' and new.status <> old.status)
        execute function die_at_outcome()`),
  );

/** Ends the refusal of outcomes. */
export const allowFollowUpOutcomes = (url: string): Promise<unknown> =>
  withClient(url, (client) => client.query('drop function die_at_outcome cascade'));
