import { commandUserFromEnv, globalDatabaseFromEnv, publicUrlFromEnv } from '../config/env.ts';
import { appendCommand } from '../features/audit-log/sql.ts';
import { inviteOperator } from '../features/people/accounts/invite-operator.ts';
import { endOperatorLinks, setOperator } from '../features/people/sql/operators.ts';
import { isEmail } from '../jsonapi/values/contact.ts';
import { type Database, openDatabase } from '../platform/database/db.ts';
import { DRY_RUN_HEAD, dryRunOf, isDryRun } from '../platform/dry-run.ts';
import { instantText, systemClock } from '../platform/time/clock.ts';

/**
 * Invites, adds or removes an operator: `invite EMAIL`, `add EMAIL` or `remove EMAIL`. The last two exit with 1
 * if no active account has the address, and no open invitation for `remove`. `--dry-run` changes nothing.
 */
async function main([operation = '', email = '', ...flags]: readonly string[]): Promise<number> {
  await using db = openDatabase({ url: globalDatabaseFromEnv(), connections_max: 1 });
  const is_dry = isDryRun(flags);
  if (is_dry) process.stdout.write(DRY_RUN_HEAD);
  return await change(is_dry ? dryRunOf(db) : db, operation, email, is_dry);
}

async function change(
  db: Database,
  operation: string,
  email: string,
  is_dry: boolean,
): Promise<number> {
  // Stored before the change, so that no change lacks an entry.
  await appendCommand(db, {
    command: `operator ${operation}`,
    subject: email,
    user: commandUserFromEnv(),
  });
  if (operation === 'invite') return await invite(db, email, is_dry);
  const isOperator = operation === 'add';
  const hadInvitation = !isOperator && (await endOperatorLinks(db, email));
  const isChanged =
    (await setOperator(db, email, isOperator, instantText(systemClock().now()))) || hadInvitation;
  const text = isOperator ? 'is an operator' : 'is no longer an operator';
  process.stdout.write(
    isChanged
      ? `${email} ${text}.\n`
      : `No active account has the address ${email}. The person must register first, or accept an invitation of a member.\n`,
  );
  return isChanged ? 0 : 1;
}

async function invite(db: Database, email: string, is_dry: boolean): Promise<number> {
  if (!isEmail(email)) throw new Error(`${email} is no email address`);
  const public_url = publicUrlFromEnv();
  const link = await inviteOperator({ db, clock: systemClock(), public_url }, email);
  process.stdout.write(
    link
      ? `Open this link within a day. The link works once, and makes the person who opens it an operator:\n${is_dry ? 'LINK' : link}\n`
      : `${email} has an account, and is an operator now: sign in at ${public_url}/dashboard/\n`,
  );
  return 0;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`The account cannot be changed: ${error.message}.\n`);
  return 1;
});
