import { databaseFromEnv, secretsFromEnv } from './config/env.ts';
import { adoptSecretsKeys } from './features/webhooks/own-keys.ts';
import { instantText, systemClock } from './kernel/clock.ts';
import { type Database, openDatabase } from './store/db.ts';
import { rereadDisputes } from './store/disputes.ts';
import { forgetFact } from './store/installation-facts.ts';
import { openAttemptsSince } from './store/open-attempts.ts';

/** `network`: the next start may bring another card network. Gives what to say. */
async function adoptNetwork(db: Database): Promise<string> {
  const now = instantText(systemClock().now());
  const [open = 0] = await openAttemptsSince(db, [now]);
  const known = await db.transaction(async (tx) => {
    await rereadDisputes(tx, 'sandbox');
    return forgetFact(tx, 'card_network');
  });
  if (!known) return 'The database belongs to no card network yet: the next start decides.';
  return `The database belongs to the card network that the next start brings. ${open} messages without an outcome are unknown to a new network: restart every Florin of this database, then these fail.`;
}

/** `secrets-key`: the key of this data directory seals from now on. Gives what to say. */
async function adoptSecretsKey(db: Database): Promise<string> {
  const fingerprint = await adoptSecretsKeys({ db, config: secretsFromEnv() });
  return `The key of this data directory (fingerprint ${fingerprint}) seals the secrets of this database from now on. Copy secrets.key to every Florin of this database. What another key sealed is not opened any more: have webhook subscriptions rotate_secret.`;
}

async function main([what]: readonly string[]): Promise<void> {
  await using db = openDatabase({ url: databaseFromEnv(), connections_max: 1 });
  const said = what === 'network' ? await adoptNetwork(db) : await adoptSecretsKey(db);
  process.stdout.write(`${said}\n`);
}

await main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`Nothing was adopted: ${error.message}.\n`);
  process.exitCode = 1;
});
