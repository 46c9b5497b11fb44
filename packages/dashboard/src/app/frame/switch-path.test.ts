import { expect, it } from 'vitest';
import { pathInScope } from './switch-path.ts';

const M = '01890a5d-ac96-774b-bcce-b302099a8057';
const N = '01890a5d-ac96-774b-bcce-b302099a8058';

it.each([
  [`/${M}/sandbox`, `/${N}/live`],
  [`/${M}/sandbox/payments`, `/${N}/live/payments`],
  [`/${M}/sandbox/payments/${N}`, `/${N}/live/payments`],
  [`/${M}/sandbox/records/customers/${N}/edit`, `/${N}/live/records/customers`],
])('leads from %s of one merchant and mode to %s of another', (from, to) => {
  expect(pathInScope(from, { merchant: N, mode: 'live' })).toBe(to);
});
