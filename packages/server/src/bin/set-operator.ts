import { databaseFromEnv } from '../config/env.ts';
import { setOperator } from '../features/people/sql/operators.ts';
import { openDatabase } from '../platform/database/db.ts';
import { instantText, systemClock } from '../platform/time/clock.ts';

/**
 * Adds or removes an operator: `add EMAIL` or `remove EMAIL`. Exits with 1 if no active account has the
 * address.
 */
async function main([operation, email = '']: readonly string[]): Promise<number> {
  await using db = openDatabase({ url: databaseFromEnv(), connections_max: 1 });
  const isOperator = operation === 'add';
  const isChanged = await setOperator(db, email, isOperator, instantText(systemClock().now()));
  const text = isOperator ? 'is an operator' : 'is no longer an operator';
  process.stdout.write(
    isChanged
      ? `${email} ${text}.\n`
      : `No active account has the address ${email}. The person must register first, or accept an invitation of a member.\n`,
  );
  return isChanged ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`The account cannot be changed: ${error.message}.\n`);
  return 1;
});
