import { resources } from '@florin/contract/resources/index.ts';
import { expect, it } from 'vitest';
import { compileModels } from '../../jsonapi/model.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import { eventAbout } from './emit.ts';

const model = compileModels(resources).get('customers');
const NOW = seconds(1_800_000_000);

it.each([
  ['was changed after that instant is as of its change', 5, 5],
  ['was changed before is as of the instant', -5, 0],
])('an event about a record that %s', (_, updated, at) => {
  const id = '0190f3c2-7b4e-7abc-8def-0123456789ab';
  const updated_at = instantText(NOW + updated);
  const row = { id, merchant_id: id, mode: 'sandbox', updated_at, created_at: updated_at };
  expect(eventAbout(model, row, 'updated', NOW).created_at).toBe(instantText(NOW + at));
});
