import { expect, it } from 'vitest';
import { createSigner } from '../../src/platform/crypto/signer.ts';
import { instanceSecret } from '../../src/platform/database/installation/instance-secrets.ts';
import { askForm } from '../support/bank.ts';
import {
  cancel,
  enterCodes,
  handleOf,
  outcomeOf,
  type Stand,
  useBank,
  type Verified,
  verify,
} from '../support/threeds.ts';

const bank = useBank();

/** Failures counted for the key of a form. */
async function failures({ session }: Verified): Promise<number> {
  const payload = Buffer.from(session.split('.')[1] ?? '', 'base64url').toString();
  const signer = createSigner(await instanceSecret(bank.books.db, 'card_tries'));
  const subject = signer.sign(`key failures\n${payload.split(' ')[4]}`);
  const sql = 'select tries from card_tries where subject = $1';
  const [row] = await bank.books.db.query(sql, [subject]);
  return Number(row?.tries);
}

const failCode = (stand: Stand, verified: Verified) => enterCodes(stand, verified, ['1', '2', '3']);
const enterAnotherCard = (stand: Stand, { payment }: Verified) =>
  verify(stand, 0, 'mastercard', payment);

it.each([
  ['refuses at once', 'rejected', undefined, 'authentication_failed', 1],
  ['refuses after its challenge', 'challenge', failCode, 'challenge_failed', 1],
  ['was not answered by its holder', 'challenge', cancel, 'challenge_cancelled', 0],
  ['heard no more, for another card', 'challenge', enterAnotherCard, 'challenge_replaced', 0],
] as const)(
  'of a card that its bank %s is counted correctly',
  async (_what, ending, exit, code, more) => {
    const before = await failures(await verify(bank.stand, bank.amount('frictionless')));
    const verified = await verify(bank.stand, bank.amount(ending));
    await exit?.(bank.stand, verified);
    const { session } = verified;
    const told = exit ? await outcomeOf(bank.stand, verified) : verified.answer;
    expect(told.detail.code).toBe(code);
    // The form may ask again.
    const authentication = handleOf(verified);
    if (exit) await askForm(bank.stand.place, 'challenge', { session, authentication });
    expect((await failures(verified)) - before).toBe(more);
  },
);

it('of a card whose bank does not take part, if that is required, is not counted', async () => {
  const merchant = await bank.books.makeMerchant({ threeds_sandbox: 'required' });
  const browserKey = await merchant.key({ context: 'browser' });
  const stand = bank.standOf(await merchant.key(), browserKey);
  const verified = await verify(stand, bank.amount('not_enrolled'));
  expect(verified.answer.detail.code).toBe('authentication_required');
  expect(await failures(verified)).toBe(0);
});
