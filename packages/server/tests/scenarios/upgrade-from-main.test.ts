import { testSchema } from '@florin/dev-env/config/env.ts';
import pg from 'pg';
import { expect, it } from 'vitest';
import { applyEarlierMigrations } from '../schema/earlier-database.ts';
import { useOwnStack } from '../support/api.ts';
import { openBrowser } from '../support/browser.ts';
import {
  createStoryClock,
  failedRenewalChanges,
  firstChargeChanges,
  pauseChanges,
  startStory,
} from '../support/story-clock.ts';

const clock = createStoryClock('2027-01-01T00:00:00Z');
/** An installation that followed main from 32f853f through each edit to 707ee92. */
const followedInstallation = {
  firstUnapplied: '0034',
  editedNames: ['0018-billing', '0024-recorded-events', '0031-shared-limits', '0033-unpaid'],
  withdrawnNames: ['0034-posted-summaries'],
};
const api = useOwnStack({
  config: { clock },
  async prepare({ url }) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`drop schema ${testSchema()} cascade; create schema ${testSchema()}`);
    await applyEarlierMigrations(client, followedInstallation);
    await client.end();
  },
});

it('people sign in to an installation that followed main, also after wrong passwords', async () => {
  const { email, password } = api.stack.credentials.account;
  const signInWith = async (enteredPassword: string) =>
    (
      await openBrowser(api.stack.baseUrl).send('POST', '/dashboard/api/session', {
        email,
        password: enteredPassword,
      })
    ).status;
  expect([await signInWith('wrong'), await signInWith(password as string)]).toEqual([422, 201]);
});

it('a subscription of such an installation goes through dunning to its pause', async () => {
  const attributes = { amount_cents: 3000, billing_period: 'seven_days' };
  const story = await startStory(api.client, clock, '2027-01-01 10:00', attributes);
  await story.expectChanges(firstChargeChanges('2027-01-01 10:00 first 3000'));
  await story.setCard('lost_card');
  await story.expectChanges({ events: ['updated'] });
  await story.at('2027-01-08 10:00', failedRenewalChanges('2027-01-08 10:00 renewal 3000'));
  await story.at('2027-01-22 10:05', {
    events: pauseChanges.events?.toSpliced(1, 0, 'unpaid') ?? [],
    subscription: { status: 'paused', past_due_since: null },
  });
});
